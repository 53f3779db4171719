"""Tests of the trace's reader and of its pictures, on a made-up trace. Run by ctest; needs
matplotlib, no GPU."""
import itertools
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import plots_test
import synthetic
import synthetic_trace
import trace_format

import timeline
import timeline_picture
import trace as plots_trace
from matplotlib import collections, pyplot

PRESETS = ["launch", "transfer", "search"]
VARIANTS = [*synthetic.VARIANTS, "fused"]


def made_up(simulated="", presets=PRESETS):
    return synthetic_trace.trace(synthetic.results(presets, VARIANTS, passes=9,
                                                   simulated=simulated))


def rename(found, names):
    """Gives rows of lanes other names."""
    found.rows = [names.get(row, row) for row in found.rows]
    for operation in found.operations:
        operation.lane_row = names.get(operation.lane_row, operation.lane_row)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def loaded(self, content):
        (self.folder / "t.json").write_text(json.dumps(content), encoding="utf-8")
        return plots_trace.load(self.folder / "t.json")

    def run_script(self, *arguments, out="out"):
        return subprocess.run(
            [sys.executable, plots_test.PLOTS / "timeline.py", self.folder / "t.json",
             self.folder / out, *arguments], capture_output=True, text=True, check=False)


class Reader(Folder):
    def test_made_up_traces_are_as_strictly_traces_as_trilanes(self):
        self.assertEqual(trace_format.problems(made_up()), [])

    def test_passes_hold_what_was_scheduled(self):
        results = synthetic.results(["launch"], ["streams", "graph", "fused"], passes=9)
        made = synthetic_trace.trace(results)
        found = self.loaded(made)
        self.assertEqual((found.simulated, found.gpu), ("", "NVIDIA Example 100"))
        self.assertEqual([(p.comparison, p.preset, p.variant) for p in found.passes],
                         [(0, "launch", variant) for variant in ("streams", "graph", "fused")])
        workload = results["comparisons"][0]["workload"]
        for read, m in zip(found.passes, results["comparisons"][0]["measurements"]):
            calls, operations = synthetic_trace.schedule(workload, m["variant"],
                                                         m["wall"]["median"])
            self.assertEqual([(c.name, round(c.start, 3), c.chunk, c.lane) for c in read.calls],
                             [(name, round(start, 3), chunk, lane)
                              for name, start, _, chunk, lane in calls])
            wanted = sorted((round(start, 3), activity, round(duration, 3), chunk, lane, call)
                            for activity, start, duration, chunk, lane, call in operations)
            self.assertEqual(wanted, sorted(
                (o.start, o.activity, o.duration, o.chunk, o.lane, o.call)
                for o in read.operations))
            self.assertEqual(read.event_us, 1.02 * m["wall"]["median"])

    def test_an_operation_has_all_that_the_file_says(self):
        found = self.loaded(made_up()).passes[VARIANTS.index("graph")]
        first = min((o for o in found.operations if o.chunk == 1), key=lambda o: o.start)
        self.assertEqual((first.name, first.stream, first.node, first.bytes, first.engine_row,
                          first.lane_row, found.calls[first.call].name),
                         ("copy in", 8, 7, 4096, "copy in", "lane 1", "cudaGraphLaunch"))
        self.assertEqual(found.rows_of(found.operations, "engine_row"),
                         ["copy in", "compute", "copy out"])
        self.assertEqual([c.waits for c in found.calls], [False, True])

    def test_files_that_are_none(self):
        strange = made_up(presets=["search"])
        strange["traceEvents"][-4]["args"]["activity"] = "dance"
        other = made_up(presets=["search"])
        other["otherData"]["tool"] = "perf"
        empty = {"traceEvents": [], "otherData": {"tool": "trilane 1", "gpu": "", "simulated": "",
                                                  "passes": []}}
        for content, words in (("{", "is not JSON"), ("[]", "no trace of trilane"),
                               ("{}", "no trace of trilane"), (json.dumps(strange), "'dance'"),
                               (json.dumps(other), "a trace of 'perf'"),
                               (json.dumps(empty), "holds no pass")):
            (self.folder / "t.json").write_text(content)
            done = self.run_script()
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn("trilane --trace", done.stderr)
        (self.folder / "t.json").unlink()
        self.assertEqual(self.run_script().returncode, 2)


class Picture(Folder):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        trace = self.loaded(made_up(simulated=plots_test.PROFILE))
        sets = (VARIANTS, ["pool", "graph"], ["fused"])
        for preset, variants in itertools.product(PRESETS, sets):
            (passes,) = timeline.chosen(trace, [preset], variants).values()
            for found in passes:
                rename(found, {"lane 1": "lane 0, row 2", "lane 2": "host thread 12"})
            figure = timeline_picture.draw(trace, passes, 8)
            figure.canvas.draw()
            boxes = [(found.get_text(), found.get_window_extent())
                     for found in plots_test.visible_texts(figure)]
            for words, box in boxes:
                self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
                                and figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1,
                                f"{words!r} is cut off")
            for (words, box), (others, other) in itertools.combinations(boxes, 2):
                self.assertFalse(box.overlaps(other), f"{words!r} overlaps {others!r}")
            pyplot.close(figure)

    def test_bars_are_the_operations_up_to_the_axis_end(self):
        trace = self.loaded(made_up())
        passes = timeline.chosen(trace, ["launch"], ["streams", "graph"])["launch"]
        axes = timeline_picture.draw(trace, passes, 3).axes[0]
        until = timeline_picture.horizon(passes, 3)
        self.assertAlmostEqual(axes.get_xlim()[1], until)
        drawn = sum(len(bars.get_paths()) for bars in axes.findobj(collections.PolyCollection))
        self.assertEqual(drawn, sum(item.start < until for p in passes
                                    for item in (*p.calls, *p.operations)))
        ends = [max(o.end for o in p.operations if o.chunk is not None and o.chunk < 3)
                for p in passes]
        self.assertAlmostEqual(until, 1.02 * max(ends))

    def test_activities_differ_without_colour(self):
        looks = set()
        for fill in timeline_picture.FILLS.values():
            red, green, blue = (int(fill["facecolor"][place:place + 2], 16) for place in (1, 3, 5))
            lightness = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
            looks.add((round(5 * lightness), fill.get("hatch")))
        self.assertEqual(len(looks), len(timeline_picture.FILLS))

    def test_a_picture_per_preset_with_its_names(self):
        for simulated in ("", plots_test.PROFILE):
            self.loaded(made_up(simulated))
            self.assertEqual(self.run_script("--variant", "streams,fused").stderr, "")
            self.assertEqual({path.name for path in (self.folder / "out").iterdir()},
                             {f"timeline-{p}.{kind}" for p in PRESETS for kind in ("png", "svg")})
            drawing = xml.etree.ElementTree.parse(self.folder / "out/timeline-launch.svg")
            words = ["".join(node.itertext()).strip() for node in drawing.iter()
                     if node.tag.endswith("}text")]
            for wanted in ("host", "lane 0", "lane 3", "whole pass", *timeline_picture.FILLS):
                self.assertIn(wanted, words)
            variants = [word.split(" · ")[0] for word in words if word.endswith("µs")]
            self.assertEqual(variants, ["streams", "fused"])
            self.assertEqual(sum("simulated" in word for word in words), 2 if simulated else 0)

    def test_a_picture_per_comparison_where_a_preset_has_several(self):
        self.loaded(made_up(presets=["launch", "search", "launch"]))
        self.assertEqual(self.run_script("--variant", "streams,fused").stderr, "")
        out = self.folder / "out"
        self.assertEqual({path.stem for path in out.iterdir()},
                         {"timeline-launch-1", "timeline-launch-2", "timeline-search"})
        for number in (1, 2):
            words = (out / f"timeline-launch-{number}.svg").read_text()
            self.assertIn(f">launch, {number}: what ran when<", words)
            self.assertEqual(words.count(">streams · "), 1)

    def test_only_what_is_asked_for(self):
        self.loaded(made_up())
        self.assertEqual(self.run_script("--preset", "search").returncode, 0)
        self.assertEqual(len(list((self.folder / "out").iterdir())), 2)
        done = self.run_script("--preset", "serach")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no preset 'serach': it has launch, transfer, search", done.stderr)
        self.assertEqual(self.run_script(out="t.json/x").returncode, 5)


if __name__ == "__main__":
    unittest.main()
