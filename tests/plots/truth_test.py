"""Tests of tests/truth.py, with made-up programs and results, of the table that the findings page
makes of its file, and of what the plain programs include. Run by ctest."""
import gzip
import json
import math
import re
import unittest

import synthetic
from plot_test_case import PLOTS, ScriptTestCase, replaced

from findings import causes, fields, files, results_page

TESTS = PLOTS.parent / "tests"
SCRIPT = TESTS / "truth.py"
VARIANTS = ("streams", *causes.PLAIN)
PRINTS = """#!/bin/sh
[ $# = 2 ] && [ "$2" = 30 ] || exit 2
printf '{"mean_us": %s, "median_us": %s, "p25_us": 9, "p75_us": 11, "setup_us": 3, "ok": %s}\\n' """
ON_GPUS = """#!/bin/bash
shift 2
for gpu; do echo ready; done
for gpu; do read -r; done
for gpu; do printf '{"device": %s, "mean_us": %s, "ok": true}\\n' $gpu $(($# * 10)); done
"""
SPLIT = """#!/bin/bash
[ "$2,$3" = 30,1,0 ] || exit 2
us=(0 11 5)
printf '{"mean_us": %s, "median_us": 1, "p25_us": 1, "p75_us": 1, "setup_us": 3, "ok": true}\\n' ${us[$4]}
"""
RUN = """#!/bin/bash
echo "$*" > "$(dirname "$0")/command"
cp "$(dirname "$0")/given.json" "${!#}"
"""


def ratio(low, estimate, high):
    return {"estimate": estimate, "low": low, "high": high, "covers": "processes"}


class Truth(ScriptTestCase):
    """streams takes 10 us, all others 5."""

    def setUp(self):
        super().setUp()
        (self.folder / "truth").mkdir()
        for name in VARIANTS:
            us = "10 20" if name == "streams" else "5 5"
            self.program(f"truth/{name}", f"{PRINTS} {us} true\n")
        self.program("trilane", RUN)
        self.results = synthetic.results(["launch", "search"], VARIANTS, passes=4)
        for comparison in self.results["comparisons"]:
            for measurement in comparison["measurements"]:
                if measurement["variant"] != "streams":
                    measurement["ratio"] = ratio(0.49, 0.495, 0.51)

    def program(self, name, text):
        self.write(text, name).chmod(0o755)

    def judge(self, *options, results=None):
        """The ended script, with two processes of each program and the results of a file."""
        file = self.write(self.results if results is None else results, "given.json").name
        return self.run_truth("--results", file, "--processes", "2", "--json", "truth.json",
                              "--seed", "5", *options)

    def run_truth(self, *options):
        return self.run_script(SCRIPT, ".", "--time", "30ms", *options)

    def set_ratio(self, preset, variant, *numbers):
        for comparison in self.results["comparisons"]:
            for measurement in comparison["measurements"]:
                if (comparison["workload"]["name"], measurement["variant"]) == (preset, variant):
                    measurement["ratio"] = ratio(*numbers)

    def found(self):
        return json.loads((self.folder / "truth.json").read_text())

    def row(self, preset, variant):
        return next(row for row in self.found()["rows"]
                    if (row["preset"], row["variant"]) == (preset, variant))

    def assert_ends(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        self.assertRegex(done.stderr, r"\Atruth.py: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_counts_the_ratios_whose_intervals_have_the_plain_one(self):
        self.set_ratio("launch", "graph", 0.501, 0.505, 0.509)
        self.set_ratio("search", "graph", 0.535, 0.54, 0.545)
        self.set_ratio("search", "pool", 0.51, 0.54, 0.57)
        self.set_ratio("search", "malloc", 0.5, 0.51, 0.52)
        self.set_ratio("search", "fused", 0.48, 0.485, 0.49)
        done = self.judge()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\n12 of 16 inside (75%); half of the intervals reach at most "
                      "3.0% each way\n", done.stdout)
        self.assertIn("\non launch: 7 of 8 inside (88%); half of the", done.stdout)
        self.assertIn("\nfurthest off: graph on search, 0.540 printed, 0.500 by plain", done.stdout)
        self.assertIn("narrower than that: graph on search (+8.0%)\n", done.stdout)
        places = {variant: self.row("search", variant)["lies"] for variant in causes.PLAIN}
        self.assertEqual({variant: lies for variant, lies in places.items() if lies != "inside"},
                         {"graph": "far outside", "pool": "outside", "fused": "outside"})
        self.assertEqual(self.row("launch", "graph")["lies"], "outside")

    def test_takes_the_median_of_the_processes_and_says_how_they_spread(self):
        state = self.folder / "state"
        self.program("truth/graph", f"#!/bin/bash\necho >> {state}$1\nus=(0 4 8 100)\n"
                     f"us=${{us[$(wc -l < {state}$1)]}}\n" + PRINTS.partition("\n")[2] +
                     "$us $us true\n")
        done = self.judge("--processes", "3")
        self.assertIn("\n14 of 16 inside (88%); ", done.stdout)
        row = self.row("launch", "graph")
        self.assertAlmostEqual(row["plain"], 0.8)
        # The quartiles of 4, 8 and 100 are 6 and 54, which are 1.349 standard deviations apart.
        self.assertAlmostEqual(row["standard_error"],
                               0.8 * math.sqrt(math.pi / 2 / 3) * 48 / 1.349 / 8)
        self.assertAlmostEqual(row["off"], 0.495 / 0.8 - 1)
        program = next(p for p in self.found()["programs"]
                       if (p["preset"], p["variant"]) == ("launch", "graph"))
        self.assertEqual(program["us"], [4, 8, 100])
        self.assertAlmostEqual(program["spread"], 2 / 8)

    def test_keeps_the_times_of_each_process_of_the_run_without_interrupted_passes(self):
        measurement = self.results["comparisons"][0]["measurements"][0]
        measurement["samples"] |= {"process": [1, 2, 1, 2], "wall_us": [3, 9, 5, 10]}
        measurement["samples"]["process"] += [1]
        measurement["samples"]["wall_us"] += [50]
        self.judge()
        program = next(p for p in self.found()["programs"]
                       if (p["preset"], p["variant"]) == ("launch", "streams"))
        self.assertEqual(program["trilane_us"], [4, 9.5])

    def test_the_order_comes_from_the_seed_and_all_take_turns(self):
        for name in VARIANTS:
            text = (self.folder / "truth" / name).read_text()
            self.program(f"truth/{name}", text.replace("#!/bin/sh", "#!/bin/sh\n"
                                                       "echo ${0##*/} $1 >> order", 1))
        orders = []
        for seed in ("5", "5", "6"):
            self.judge("--seed", seed, "--presets", "launch,search")
            orders.append((self.folder / "order").read_text().split("\n")[:-1])
            (self.folder / "order").unlink()
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])
        turns = [sorted(orders[0][first:first + 9]) for first in range(0, 36, 9)]
        expected = [sorted(f"{name} {preset}" for name in VARIANTS)
                    for preset in ("launch", "search")]
        self.assertEqual(turns, 2 * expected)

    def test_runs_trilane_on_the_nine_variants(self):
        self.write(self.results, "given.json")
        done = self.run_truth("--processes", "1", "--presets", "search")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        command = (self.folder / "command").read_text()
        self.assertTrue(command.startswith(
            f"run --preset search --variant {','.join(VARIANTS)} --json /"), command)
        self.assertIn("\n8 of 8 inside (100%); ", done.stdout)
        self.program("trilane", RUN.replace("bash\n", "bash\necho trilane >> order\n"))
        self.program("truth/pool", PRINTS.replace("sh\n", "sh\necho plain >> order\n") + "5 5 true\n")
        self.run_truth("--processes", "3", "--presets", "search")
        self.assertEqual((self.folder / "order").read_text().split(),
                         ["plain", "trilane", "plain", "plain"])
        self.program("trilane", "#!/bin/bash\necho 'no usable GPU: made up' >&2; exit 3\n")
        self.assert_ends(self.run_truth("--processes", "1"), 3, "no usable GPU: made up")

    def test_shapes_that_are_no_preset_are_written_out(self):
        workload = ("comparisons", 1, "workload")
        results = replaced(self.results, (*workload, "modified"), True)
        results = replaced(results, (*workload, "lanes"), 9)
        self.assertEqual(self.judge(results=results).returncode, 0)
        self.assertEqual(self.row("2,16384,4096,2,1,1", "pool")["over"], "streams")
        self.assertEqual(len(self.found()["rows"]), 16)
        self.judge("--points", "1", results=results)
        self.assertEqual(len({row["preset"] for row in self.found()["rows"]}), 1)

    def test_the_ratios_of_a_sweep_are_over_the_best_of_a_point(self):
        workload = self.results["comparisons"][1]["workload"] | {"modified": True, "depth": 3}
        cell = {"status": "ok", "workload": workload, "winner": "fused", "variants": {
            "fused": {"over_winner": 1, "low": 1, "high": 1, "processes": {"wall_us": [5.1]}},
            "streams": {"over_winner": 1.95, "low": 1.9, "high": 2.05,
                        "processes": {"wall_us": [9.8, 10]}}}}
        done = self.judge(results={**self.results, "schema": "trilane-sweep", "schema_version": 3,
                                   "mode": "latency", "cells": [cell, {"status": "not run",
                                                                       "variants": {}}]})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\n1 of 1 inside (100%)", done.stdout)
        row = self.row("2,16384,4096,2,3,1", "streams")
        self.assertEqual((row["over"], row["plain"]), ("fused", 2))
        self.assertEqual([p["trilane_us"] for p in self.found()["programs"]], [[5.1], [9.8, 10]])

    def test_several_gpus_are_compared_alone_in_processes_and_in_one(self):
        """One process for both GPUs takes twice as long, whatever Trilane says."""
        for measurement in self.results["comparisons"][0]["measurements"]:
            measurement["samples"] = {"process": [0, 0], "wall_us": [7, 7]}
        self.results["comparisons"] = [
            {**self.results["comparisons"][0],
             "placement": {"device": gpu, "beside": beside, "one_process": one_process}}
            for beside, one_process in ((0, False), (1, False), (1, True)) for gpu in (0, 1)]
        self.write(self.results, "given.json")
        for name in VARIANTS:
            self.program(f"truth/{name}", ON_GPUS)
        options = ("--gpus", "--results", "given.json", "--processes", "2", "--seed", "5")
        done = self.run_truth(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = re.findall(r"^launch +streams +([01]) +1\.000 .*?  1\.000 .*?  1\.000 .*?  2\.000 ",
                          done.stdout, re.MULTILINE)
        self.assertEqual(rows, ["0", "1"], done.stdout)
        self.program("truth/graph", "#!/bin/sh\necho no memory >&2\nexit 1\n")
        self.assert_ends(self.run_truth(*options), 1, "graph on launch", "no memory")
        del self.results["comparisons"][1:]
        self.write(self.results, "given.json")
        self.assert_ends(self.run_truth(*options), 2, "is not of several GPUs")
        self.assert_ends(self.run_truth("--gpus"), 2, "needs --results")

    def advised(self, ways, said="Made up.", processes="3", graph_us=10, moved=()):
        """The lines on advice with these ratios of one process over one each, by variant. By plain
        programs one process takes twice as long."""
        one = self.results["comparisons"][0]
        measured = [{**measurement, "samples": {"process": [0, 0], "wall_us": [7, 7]}}
                    for measurement in one["measurements"][:2]]
        winners = [{"tier": "same operations", "variant": "streams", "tied": []},
                   *({"tier": "moved together", "variant": "graph", "ratio": ratio(*numbers),
                      "tied": []} for numbers in moved)]
        comparisons = [
            {**one, "winners": winners,
             "placement": {"device": gpu, "beside": beside, "one_process": one_process},
             "measurements": [{**measurement, "over_processes": ratio(*ways[name][gpu])}
                              if one_process and (name := measurement["variant"]) in ways else
                              measurement for measurement in measured]}
            for beside, one_process in ((0, False), (1, False), (1, True)) for gpu in (0, 1)]
        self.write({**self.results, "comparisons": comparisons,
                    "answers": [{"question": "GPUs?", "text": said}]}, "given.json")
        self.program("truth/streams", ON_GPUS)
        self.program("truth/graph", ON_GPUS.replace("10", str(graph_us)))
        done = self.run_truth("--gpus", "--results", "given.json", "--processes", processes)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.partition(f"\ntrilane advises: {said}\n")[2]

    def test_the_advice_on_processes_is_judged_by_plain_programs(self):
        worse, better, same = (1.1, 1.2, 1.3), (0.7, 0.8, 0.9), (0.9, 1.1, 1.2)
        each = r"one process / one each: 2\.000 \+- 0\.000"
        one = r"one each / one process: 0\.500 .*"
        for gpus, advice, figures in (
                ((worse, same), "one each", f"{each}  kept"),
                ((same, better), "one process", f"{one}  not kept"),
                ((same, same), "either", f"{one}  not kept"),
                ((same, (0, 1, 2)), "not known", "-"), ((worse, better), "it depends", "-")):
            with self.subTest(advice=advice):
                self.assertRegex(self.advised({"streams": gpus, "graph": (worse, worse)}),
                                 rf"(?m)^launch +GPU 0,1 +streams: {advice} +{figures}$")
        lines = self.advised({"streams": (worse, worse), "graph": (worse, worse)}, processes="1")
        self.assertRegex(lines, f"{each}  too few processes\n")
        self.assertNotIn("graph: ", lines)  # neither the reference nor the best

    def test_the_variant_advised_for_all_gpus_at_work_is_judged_by_plain_programs(self):
        same = "No other variant is clearly better then."
        row = "(?m)^launch +GPU %s +%s +%s / %s: %s .*  %s$"
        self.assertRegex(self.advised({}, same), row % (
            "0,1", "streams, as alone", "graph", "streams", "1.000", "kept"))
        self.assertRegex(self.advised({}, same, graph_us="(10 - 6 * gpu)"), row % (
            "0,1", "streams, as alone", "graph", "streams", "0.700", "not kept"))
        for high, best in ((0.9, "graph"), (1.1, "streams")):
            self.assertIn(f"{best}, as alone", self.advised({}, same, moved=[(0.7, 0.8, high)]))
        lines = self.advised({}, "Use then graph instead of streams on launch (GPU 1).", graph_us=5)
        self.assertRegex(lines, row % ("1", "graph, instead of streams", "streams", "graph",
                                       "2.000", "kept"))
        self.assertRegex(lines, row % ("0", "streams, as alone", "graph", "streams", "0.500",
                                       "not kept"))
        lines = self.advised({}, "Use then graph instead of streams on launch (GPU 1) and 2 more.")
        self.assertIn("GPU 1 ", lines)
        self.assertEqual(self.advised({}, ""), "")
        self.assertNotIn("GPU 0", lines)

    def test_a_split_pass_is_compared_with_programs_for_one_gpu(self):
        """Splits over GPU 1 and 0, in this order: 5 us, 10 us on GPU 1, and 11 us beside GPU 0."""
        self.results["comparisons"] = self.results["comparisons"][:1]
        one = self.results["comparisons"][0]
        two = json.loads(json.dumps(one))
        two["workload"]["gpus"] = [1, 0]
        for comparison, us in ((one, 9), (two, 5)):
            comparison["measurements"] = comparison["measurements"][:2]
            comparison["measurements"].append({**comparison["measurements"][1],
                                               "variant": "graph:each"})
            for measurement in comparison["measurements"]:
                measurement["samples"] = {"process": [0, 0], "wall_us": [us, us]}
        for measurement, (low, estimate, high) in zip(two["measurements"], (
                (0.48, 0.5, 0.52), (0.44, 0.45, 0.46), (0, 0.5, 2))):
            measurement["over_one_gpu"] = ratio(low, estimate, high)
        self.results["comparisons"].append(two)
        self.write(self.results, "given.json")
        for name in ("streams", "graph"):
            self.program(f"truth/{name}", ON_GPUS)
        for name in ("streams", "graph", "graph_each"):
            self.program(f"truth/split_{name}", SPLIT)
        options = ("--split", "--results", "given.json", "--processes", "2", "--seed", "5")
        done = self.run_truth(*options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plain = (r" +2\.000 \+- 0\.000 +%s +%s +2\.200 \+- 0\.000 +1\.100 \+- 0\.000 +9\.0 +10\.0 "
                 r"+11\.0 +5\.0 +5\.0$")
        for variant, speed, off, lies in (
                ("streams", r"2\.00 \[1\.92, 2\.08\]", r"\+0\.0%", "inside"),
                ("graph", r"2\.22 \[2\.17, 2\.27\]", r"\+11\.1%", "far outside"),
                ("graph:each", r"2\.00 \[0\.50, inf\]", r"\+0\.0%", "inside")):
            self.assertRegex(done.stdout,
                             f"(?m)^launch +{variant} +1,0 +{speed}{plain % (off, lies)}")
        # Other ratios of the split pass are not those of the programs for one GPU.
        self.program("truth/streams", f"{PRINTS} 10 20 true\n")
        self.program("truth/graph", f"{PRINTS} 5 5 true\n")
        self.judge()
        self.assertEqual(len(self.found()["rows"]), 1)
        self.program("truth/graph", ON_GPUS)
        self.program("truth/split_graph", "#!/bin/sh\necho no memory >&2\nexit 1\n")
        self.program("truth/streams", "#!/bin/sh\necho no memory >&2\nexit 1\n")
        done = self.run_truth(*options)
        self.assert_ends(done, 1, "6 runs failed", "no memory")
        self.assertEqual(re.findall("(?m)^launch +(\\S+)", done.stdout), ["graph:each"])
        self.results["comparisons"].pop()
        self.write(self.results, "given.json")
        self.assert_ends(self.run_truth(*options), 2, "has no split pass")
        self.assert_ends(self.run_truth("--split"), 2, "--split needs --results")

    def test_programs_that_fail(self):
        for text, code, words in (
                (f"{PRINTS} 5 5 false\nexit 1\n", 1, "computed wrong data"),
                (f"{PRINTS} 5 5 true\nexit 9\n", 1, "ended with 9"),
                (f"{PRINTS} nan -1 true\n", 1, "no result"),
                ("#!/bin/bash\necho []\n", 1, "no result"),
                ("#!/bin/bash\necho 'sticky' >&2; exit 1\n", 1, "no result: sticky"),
                ("no program\n", 1, "cannot be run"),
                ("#!/bin/bash\necho 'no usable GPU' >&2; exit 3\n", 3, "no usable GPU")):
            with self.subTest(words=words, text=text):
                self.program("truth/pool", text)
                done = self.judge()
                self.assert_ends(done, code, words)
                if code == 1:
                    self.assertEqual(len(self.found()["failed"]), 4)
                    self.assertEqual(len(self.found()["rows"]), 14)

    def test_programs_that_are_not_there(self):
        (self.folder / "truth" / "engines").unlink()
        self.assert_ends(self.judge(), 2, "truth/engines")
        self.program("truth/engines", "")
        (self.folder / "trilane").unlink()
        self.assert_ends(self.run_truth(), 2, "trilane")

    def test_wrong_command_lines(self):
        for options, words in (
                (("--presets", "launch,launch"), "once each"), (("--presets", "lunch"), "'lunch'"),
                (("--processes", "0"), "from 1"), (("--points", "0"), "below 1"), (("--processes", "x"), "'x'"),
                (("--time", "5"), "'5'"), (("--time", "99s"), "'99s'"), (("--tim", "x"), "--tim"),
                (("--results", "no.json"), "no.json"), (("more",), "more")):
            with self.subTest(options=options):
                self.assert_ends(self.run_truth(*options), 2, words)

    def test_results_that_cannot_be_used(self):
        other = replaced(self.results, ("comparisons", 0, "workload", "host_memory"), "pageable")
        other["comparisons"][0]["workload"]["modified"] = True
        other["comparisons"].pop()
        backwards = replaced(self.results, ("comparisons", 0, "measurements", 1, "ratio"),
                             ratio(0.6, 0.5, 0.7))
        for results, words in (
                ("{", "cannot be read"), ([], "wrong"), ({"schema": "x"}, "no results"),
                (replaced(self.results, ("context", "simulated"), "h200"), "simulated"),
                (other, "no ratio on"), (backwards, "ratio of"),
                (replaced(self.results, ("comparisons", 0), {}), "wrong")):
            with self.subTest(words=words):
                self.assert_ends(self.judge(results=results), 2, words)

    def test_a_file_that_cannot_be_written(self):
        self.assert_ends(self.judge("--json", "no/truth.json"), 5, "no/truth.json")

    def test_the_findings_page_shows_the_file(self):
        self.set_ratio("search", "graph", 0.535, 0.54, 0.545)
        self.set_ratio("search", "pool", 0.51, 0.54, 0.57)
        self.judge()
        page = (files.FOLDER / "README.md").read_text(encoding="utf-8")
        told = list(causes.plain_programs("H200", files.Truth(self.folder / "truth.json")))
        found = [fields.plain(sentence.text) for sentence in told]
        self.assertEqual(found[0], "| H200 | 14 of 16 | 8 of 8 | 3.0% | 1, most of all `graph` on search | "
                         f"2 | {self.found()['seconds']:.0f} s |")
        self.assertEqual(found[1], "| graph, H200 | -1.0% | … | … | … | … | **+8.0%** |")
        self.assertEqual(list(fields.mistakes(fields.written(page, told), told)), [])
        written = (self.folder / "truth.json").read_bytes()
        (self.folder / "truth.json.gz").write_bytes(gzip.compress(written))
        for path in files.FOLDER.glob("*.json.gz"):
            if path.name != "truth.json.gz":
                (self.folder / path.name).symlink_to(path)
        shown = [fields.plain(sentence.text) for sentence in results_page.sentences(self.folder)]
        self.assertTrue(set(found) <= set(shown))


class Programs(unittest.TestCase):
    def test_there_is_one_for_each_variant_that_is_compared(self):
        split = set(re.findall(r'"(split_\w+)"', SCRIPT.read_text(encoding="utf-8")))
        named = {path.stem for path in (TESTS / "truth").glob("*.cu")} - split
        self.assertEqual((named, len(split)), (set(VARIANTS), 3))
        variants = {path.stem for path in (PLOTS.parent / "variants").glob("*.cpp")}
        self.assertLessEqual(named, variants)

    def test_they_include_nothing_of_trilane_but_kernels(self):
        waiting, seen = list((TESTS / "truth").glob("*.cu")), set()
        while waiting:
            path = waiting.pop()
            for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.MULTILINE):
                if "/" not in name:
                    name = str((path.parent / name).relative_to(PLOTS.parent))
                self.assertRegex(name, r"^(kernels|tests/truth)/[^/]+$", path)
                if name not in seen:
                    seen.add(name)
                    waiting.append(PLOTS.parent / name)
        self.assertIn("kernels/mix.hpp", seen)
