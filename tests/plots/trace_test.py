"""Tests of the trace that trilane-sim writes, and of the check itself. Run by ctest."""
import copy
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import trace_format

PROGRAM = os.environ["TRILANE_PROGRAM"]


def run(folder, *words):
    outcome = subprocess.run(
        [PROGRAM, *words, "--time", "1ms", "--trace", "trace.json", "--json", "results.json"],
        cwd=folder, capture_output=True, text=True, check=False)
    return outcome


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(folder, "--preset", "launch,search")
            if outcome.returncode != 0:
                raise RuntimeError(outcome.stderr)
            cls.trace = trace_format.load(Path(folder, "trace.json"))
            cls.results = json.loads(Path(folder, "results.json").read_text(encoding="utf-8"))
            cls.said = outcome.stdout

    def spoilt(self, change):
        trace = copy.deepcopy(self.trace)
        change(trace["traceEvents"])
        return trace_format.problems(trace)

    def test_the_file_is_strictly_a_trace(self):
        self.assertEqual(trace_format.problems(self.trace), [])

    def test_every_variant_of_every_preset_is_there_with_the_operations_of_its_plan(self):
        passes = {(p["comparison"], p["variant"]): p["pid"]
                  for p in self.trace["otherData"]["passes"]}
        for index, comparison in enumerate(self.results["comparisons"]):
            for measurement in comparison["measurements"]:
                pid = passes[index, measurement["variant"]]
                shown = sum(1 for event in self.trace["traceEvents"]
                            if event["pid"] == pid and event.get("cat") == "engine")
                planned = sum(measurement["timeline"]["planned"].values())
                self.assertEqual(shown, planned, measurement["variant"])

    def test_it_says_that_it_is_simulated(self):
        self.assertIn("H200", self.trace["otherData"]["simulated"])
        self.assertIn("Simulated NVIDIA H200", self.said)

    def test_the_check_finds_what_is_wrong(self):
        def first(events, **wanted):
            return next(event for event in events
                        if all(event.get(key) == value for key, value in wanted.items()))

        def longer(events):
            first(events, ph="X", cat="engine", name="copy in")["dur"] += 1e5

        def unbound(events):
            first(events, ph="f")["ts"] += 0.5

        spoils = {
            "overlap": longer,
            "bound to nothing": unbound,
            "has no start": lambda events: events.remove(first(events, ph="s")),
            "has no name": lambda events: events.remove(first(events, name="thread_name")),
            "by engine than by lane": lambda events: events.remove(
                first(events, ph="X", cat="lane")),
            "no float": lambda events: first(events, ph="X").update(ts="1"),
            "lacks dur": lambda events: first(events, ph="X").pop("dur"),
            "dur is -1": lambda events: first(events, ph="X").update(dur=-1),
            "two tracks": lambda events: first(
                events, name="thread_name", tid=2)["args"].update(name="host"),
            "is not one of": lambda events: first(events, ph="X").update(ph="Y"),
            "no activity": lambda events: first(events, cat="lane")["args"].pop("activity"),
            "back in time": lambda events: [event.update(ts=event["ts"] + 1e6)
                                            for event in events if event["ph"] == "s"],
        }
        for text, spoil in spoils.items():
            with self.subTest(text):
                self.assertIn(text, "\n".join(self.spoilt(spoil)))
