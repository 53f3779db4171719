"""Tests that the texts that mutations.py replaces stand in the files. Run by ctest."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import mutations


class Mutations(unittest.TestCase):
    def test_each_text_stands_in_its_file_once(self):
        for path, mistakes in mutations.all_mutations():
            text = (ROOT / path).read_text(encoding="utf-8")
            for old, new in mistakes:
                with self.subTest(path=path, old=old):
                    self.assertEqual(text.count(old), 1)
                    self.assertNotEqual(old, new)


if __name__ == "__main__":
    unittest.main()
