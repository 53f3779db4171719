"""Tests that the texts that mutations.py replaces, and the suites that it runs, exist. Run by
ctest."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import mutations


# Folders whose suites are in other programs, see tests/CMakeLists.txt.
OTHER_PROGRAMS = re.compile(r"/tests/(source|device/simulator|application/(prediction|replay)|"
                            r"variants|measure/(ask/experiments|loop/device))/")


class Mutations(unittest.TestCase):
    def test_each_text_stands_in_its_file_once(self):
        for _, _, path, mistakes in mutations.all_mutations():
            text = (ROOT / path).read_text(encoding="utf-8")
            for old, new in mistakes:
                with self.subTest(path=path, old=old):
                    self.assertEqual(text.count(old), 1)
                    self.assertNotEqual(old, new)

    def test_each_suite_stands_in_the_tests(self):
        found = {"unit": set(), "cli": set()}
        for file in (ROOT / "tests").rglob("*_test.cpp"):
            if not OTHER_PROGRAMS.search(file.as_posix()):
                program = "cli" if file.parent.name == "cli" else "unit"
                found[program].update(re.findall(r"^BOOST_\w+_TEST_SUITE\((\w+)",
                                                 file.read_text(encoding="utf-8"), re.MULTILINE))
        for suites, cli_suites, path, _ in mutations.all_mutations():
            for program, names in (("unit", suites), ("cli", cli_suites)):
                with self.subTest(path=path, program=program):
                    self.assertEqual(set(names.split(",")) - found[program] - {""}, set())
