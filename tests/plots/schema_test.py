"""Compares the scripts' schemas with what the program prints, which the build has copied, and checks
the committed files against them. Run by ctest."""
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
        for path in sorted(schema.FOLDER.glob("*.json")):
            with self.subTest(path.stem):
                printed = subprocess.run([PROGRAM, "schema", path.stem], check=True,
                                         capture_output=True).stdout
                self.assertEqual(path.read_bytes(), printed)

    def test_every_kind_is_listed(self):
        listed = subprocess.run([PROGRAM, "schema"], check=True, capture_output=True, text=True)
        kinds = {line.split()[0] for line in listed.stdout.splitlines()}
        self.assertLess({path.stem for path in schema.FOLDER.glob("*.json")}, kinds)
        self.assertIn("recording", kinds)
        wrong = subprocess.run([PROGRAM, "schema", "resluts"], check=False, capture_output=True,
                               text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("results", wrong.stderr)

    def test_recordings_are_as_described(self):
        printed = json.loads(subprocess.run([PROGRAM, "schema", "recording"], check=True,
                                            capture_output=True).stdout)
        for path in (PLOTS.parent / "tests/application/recordings").glob("*.json.gz"):
            with self.subTest(path.stem):
                schema.check(input_file.read(path, ""), printed)

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

    def test_whole_numbers_have_no_point_within_other_schemas_either(self):
        found = input_file.load(files.FOLDER / "h200.json.gz", results.KIND)
        found["comparisons"][0]["measurements"][0]["price"]["device_bytes"][0] = 1.0
        with self.assertRaisesRegex(input_file.InputError, "a whole number"):
            input_file.described(found, "h200", results.KIND)

    def test_files_of_older_versions_may_lack_what_later_ones_added(self):
        for name, version, lost in (("regimes", 2, ("processes",)),
                                    ("answers", 1, ("hazards", "first_hazard"))):
            kind = files.KINDS[name]
            found = input_file.load(files.FOLDER / f"{name}.json.gz", kind)
            older = {**pruned(found, lost), "schema_version": version}
            with self.subTest(name):
                input_file.described(older, name, kind)
                with self.assertRaises(input_file.InputError):
                    input_file.described({**older, "schema_version": version + 1}, name, kind)


def pruned(value, names):
    """The value without those members, at any depth."""
    if isinstance(value, list):
        return [pruned(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: pruned(item, names) for key, item in value.items() if key not in names}
