"""Compares the committed schemas with what the program prints, and checks the committed files
against them. Run by ctest."""
import gzip
import json
import os
import subprocess
import unittest

from plot_test_case import PLOTS

import input_file
import results
import schema
from findings import files

PROGRAM = os.environ["TRILANE_PROGRAM"]


class Schemas(unittest.TestCase):
    def test_are_those_of_the_program(self):
        for path in sorted(schema.FOLDER.glob("*.json.gz")):
            kind = path.name.partition(".")[0]
            with self.subTest(kind):
                printed = subprocess.run([PROGRAM, "schema", kind], check=True,
                                         capture_output=True).stdout
                self.assertEqual(gzip.decompress(path.read_bytes()), printed,
                                 f"trilane schema {kind} | gzip -9n > {path}")

    def test_every_kind_is_listed(self):
        listed = subprocess.run([PROGRAM, "schema"], check=True, capture_output=True, text=True)
        kinds = {line.split()[0] for line in listed.stdout.splitlines()}
        self.assertLess({path.name.partition(".")[0] for path in schema.FOLDER.glob("*.json.gz")},
                        kinds)
        self.assertIn("recording", kinds)
        wrong = subprocess.run([PROGRAM, "schema", "resluts"], check=False, capture_output=True,
                               text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("results", wrong.stderr)

    def test_recordings_are_as_described(self):
        printed = json.loads(subprocess.run([PROGRAM, "schema", "recording"], check=True,
                                            capture_output=True).stdout)
        for path in (PLOTS.parent / "tests/application/recordings").glob("*.json"):
            with self.subTest(path.stem):
                schema.check(json.loads(path.read_bytes()), printed)

    def test_committed_files_are_as_described(self):
        for name in files.NAMES:
            path = files.FOLDER / f"{name}.json.gz"
            with self.subTest(name):
                if path.exists():
                    input_file.load(path, files.KINDS.get(name, results.KIND))

    def test_the_drawings_limits_do_not_hide_those_of_the_program(self):
        found = schema.printed("results")
        clock = found["properties"]["comparisons"]["items"]["properties"]["measurements"]["items"][
            "properties"]["samples"]["properties"]["wall_us"]["items"]
        self.assertEqual(clock["minimum"], 1e-3)
        self.assertFalse(found["additionalProperties"])


if __name__ == "__main__":
    unittest.main()
