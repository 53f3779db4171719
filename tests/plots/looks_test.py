"""Tests that every variant has a look, by the execution model that it states. Run by ctest."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "plots"))

import looks
import tiers

PROGRAM = os.environ.get("TRILANE_PROGRAM", "")


def without_look(stated):
    """Returns what to add to the tables, for each variant whose model has no look there."""
    return [f"{name}: no look in plots/looks.py for {model}; add its model to MODELS and LOOKS"
            for name, model in stated.items() if model not in looks.LOOKS]


class Looks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            outcome = subprocess.run(
                [PROGRAM, "--preset", "search", "--time", "1ms", "--json", "results.json"],
                cwd=folder, capture_output=True, text=True, check=False)
            if outcome.returncode != 0:
                raise RuntimeError(outcome.stderr)
            results = json.loads(Path(folder, "results.json").read_text(encoding="utf-8"))
        cls.stated = looks.stated_models(results)

    def test_every_model_has_one(self):
        self.assertGreater(len(self.stated), 10)
        self.assertEqual(without_look(self.stated), [])

    def test_a_model_without_one_is_told_by_the_variant(self):
        new = self.stated["streams"]._replace(mover="birds")
        self.assertRegex("".join(without_look({**self.stated, "new": new})), "^new: .*birds")

    def test_names_stand_for_the_models_that_the_variants_state(self):
        for name, model in looks.MODELS.items():
            self.assertEqual(model, self.stated.get(name), f"{name} in plots/looks.py")

    def test_every_model_has_a_tier(self):
        found = {name: tiers.of("a new name", model._asdict())
                 for name, model in self.stated.items()}
        self.assertEqual(set(found.values()), set(tiers.TIERS))
        self.assertEqual({name: tiers.of(name) for name in found}, found)
        self.assertEqual(tiers.of("pool:default"), "same operations")
        self.assertIsNone(tiers.of("a new name"))

    def test_maps_tell_variants_apart_by_their_names(self):
        found = looks.choose(self.stated)
        for name, look in found.items():
            same = [other for other in found if found[other] == look]
            self.assertEqual(same, [name])
