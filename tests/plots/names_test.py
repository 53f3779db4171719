"""Test of the names of the scripts and modules. Run by ctest."""
import sys
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent


class Names(unittest.TestCase):
    def test_no_file_hides_a_module_of_the_standard_library(self):
        files = [path for folder in ("plots", "tests") for path in (SOURCE / folder).rglob("*.py")]
        self.assertGreater(len(files), 30)
        hiding = [str(path.relative_to(SOURCE)) for path in files
                  if path.stem in sys.stdlib_module_names]
        self.assertEqual(hiding, [])
