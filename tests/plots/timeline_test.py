"""Tests of the trace's reader and of its pictures, on a made-up trace. Run by ctest; needs
matplotlib, no GPU."""
import itertools

import synthetic
import synthetic_trace
import trace_format
from matplotlib import collections
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import timeline
import timeline_picture
import timeline_window
import trace_file

PRESETS = ["launch", "transfer", "search"]
VARIANTS = [*synthetic.VARIANTS, "fused"]


def made_up(simulated="", presets=PRESETS, variants=VARIANTS):
    return synthetic_trace.trace(synthetic.results(presets, variants, passes=9,
                                                   simulated=simulated))


def rename(found, names):
    """Gives rows of lanes other names."""
    found.rows = [names.get(row, row) for row in found.rows]
    for operation in found.operations:
        operation.lane_row = names.get(operation.lane_row, operation.lane_row)


class TraceTestCase(ScriptTestCase):
    def loaded(self, content):
        return trace_file.load(self.write(content))


class Reader(TraceTestCase):
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
        found = self.loaded(made_up(presets=["launch"])).passes[VARIANTS.index("graph")]
        first = min((o for o in found.operations if o.chunk == 1), key=lambda o: o.start)
        self.assertEqual((first.name, first.stream, first.node, first.bytes, first.engine_row,
                          first.lane_row, found.calls[first.call].name),
                         ("copy in", 8, 7, 4096, "copy in", "lane 1", "cudaGraphLaunch"))
        self.assertEqual(found.rows_of(found.operations, "engine_row"),
                         ["copy in", "compute", "copy out"])
        self.assertEqual([c.waits for c in found.calls], [False, True])

    def test_files_that_are_none(self):
        search = made_up(presets=["search"])
        strange = replaced(search, ("traceEvents", -4, "args", "activity"), "dance")
        other = replaced(search, ("otherData", "tool"), "perf")
        empty = {"traceEvents": [], "otherData": {"tool": "trilane 1", "gpu": "", "simulated": "",
                                                  "passes": []}}
        for content, words in ((None, "cannot be read"), ("{", "is not JSON"),
                               ("[]", "not a trilane trace"), ("{}", "not a trilane trace"),
                               ({"schema": "trilane-sweep"}, "not a trilane trace"),
                               (strange, '"dance"'), (other, "a trace of 'perf'"),
                               (empty, "holds no pass")):
            done = self.draw("timeline", content)
            self.assert_fails(done, 2, words, "trilane --trace")
            self.assertNotRegex(done.stderr, "Error|indices")

    def test_files_that_are_damaged(self):
        search = made_up(presets=["search"])
        named, engine, flow = (next(
            place for place, event in enumerate(search["traceEvents"])
            if all(event.get(key) == value for key, value in wanted.items())) for wanted in (
                {"name": "thread_name", "tid": 1}, {"cat": "engine"}, {"ph": "s"}))
        for place, value, words in (
                (("traceEvents", -4, "dur"), None, ".dur should be a number from 0"),
                (("traceEvents",), 5, ".traceEvents should be a list and is 5"),
                (("traceEvents", named, "args", "name"), 7, "args.name should be a text and is 7"),
                (("traceEvents", named, "tid"), 99, "that of a track with a name and is 1"),
                (("traceEvents", engine, "ts"), 0.5, "on a lane's track, too"),
                (("traceEvents", flow, "ts"), -9, "that of a flow from a call"),
                (("otherData", "passes", 0, "event_us"), "long", ".event_us should be a number"),
                (("otherData", "passes"), [{}], "passes[0].pid should be a whole number")):
            done = self.draw("timeline", replaced(search, place, value))
            self.assert_fails(done, 2, words, "write the file again with trilane --trace")
            self.assertNotRegex(done.stderr, "Error|NoneType")


class Picture(TraceTestCase, FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        trace = self.loaded(made_up(simulated=synthetic.PROFILE))
        sets = (VARIANTS, ["pool", "graph"], ["fused"])
        for preset, variants in itertools.product(PRESETS, sets):
            (passes,) = timeline.chosen(trace, [preset], variants).values()
            for found in passes:
                rename(found, {"lane 1": "lane 0, row 2", "lane 2": "host thread 12"})
            self.assert_legible(timeline_picture.draw(trace, passes, 8))

    def test_bars_are_the_operations_up_to_the_axis_end(self):
        trace = self.loaded(made_up(presets=["launch"]))
        passes = timeline.chosen(trace, ["launch"], ["streams", "graph"])["launch"]
        axes = timeline_picture.draw(trace, passes, 3).axes[0]
        until = timeline_window.horizon(passes, 3)
        self.assertAlmostEqual(axes.get_xlim()[1], until)
        drawn = sum(len(bars.get_paths()) for bars in axes.findobj(collections.PolyCollection))
        self.assertEqual(drawn, sum(item.start < until for p in passes
                                    for item in (*p.calls, *p.operations)))
        ends = [max(o.end for o in p.operations if o.chunk is not None and o.chunk < 3)
                for p in passes]
        self.assertAlmostEqual(until, 1.02 * max(ends))

    def test_a_pass_whose_operations_start_late_is_shown_from_there(self):
        trace = self.loaded(made_up(presets=["transfer"]))
        passes = timeline.chosen(trace, ["transfer"], ["streams", "graph"])["transfer"]
        late = passes[1]
        for operation in late.operations:
            operation.start += 10_000
        late.calls[0].duration = 9_990
        late.calls[1].start += 10_000
        figure = timeline_picture.draw(trace, passes, 3)
        headings = [words.get_text() for words in figure.axes[0].texts
                    if words.get_weight() == "bold"]
        until = timeline_window.horizon(passes, 3)
        start = late.operations[0].start - until / 20
        self.assertEqual(headings[1].split(" · ")[2], f"from {start:,.0f} µs on, after 0 calls")
        self.assertEqual(len(headings[0].split(" · ")), 2)
        window = timeline_window.window(late, until)
        self.assertAlmostEqual(window.operations[0].start, until / 20)
        self.assertAlmostEqual(window.calls[0].start, 0)
        self.assertAlmostEqual(window.calls[0].duration, late.calls[0].start + 9_990 - start)
        self.assertEqual(len(window.calls), 2)
        later = timeline_window.window(late, 1)
        self.assertEqual((later.calls_before, len(later.calls)), (1, 1))

    def test_rows_without_anything_to_show_are_left_out(self):
        trace = self.loaded(made_up(presets=["launch"], variants=["streams"]))
        (found,) = timeline.chosen(trace, ["launch"], ["streams"])["launch"]
        figure = timeline_picture.draw(trace, [found], 1)
        self.assertEqual([label.get_text() for label in figure.axes[0].get_yticklabels()],
                         ["host", "lane 0"])

    def test_numbers_leave_the_looks_of_a_bar_to_be_seen(self):
        trace, told = self.loaded(made_up(variants=["streams", "pool"])), set()
        for preset, chunks in itertools.product(PRESETS, (1, 3, 12, 64)):
            passes = timeline.chosen(trace, [preset], ["streams", "pool"])[preset]
            figure = timeline_picture.draw(trace, passes, chunks)
            figure.canvas.draw()
            axes = figure.axes[0]
            bars = [path.get_extents(axes.transData) for found in
                    axes.findobj(collections.PolyCollection) for path in found.get_paths()]
            numbers = [words for words in axes.texts if words.get_text().isdigit()]
            for number in numbers:
                box = number.get_bbox_patch().get_window_extent()
                x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
                bar = next(bar for bar in bars if bar.contains(x, y))
                self.assertGreater(bar.width - box.width, 0.15 * figure.dpi)
            words = " ".join(" ".join(found.get_text() for found in figure.texts).split())
            self.assertEqual("numbers: chunks" in words, bool(numbers))
            self.assertIn("two marker memsets", words)
            told.add(bool(numbers))
        self.assertEqual(told, {False, True})

    def test_activities_differ_without_colour(self):
        looks = set()
        for fill in timeline_picture.FILLS.values():
            red, green, blue = (int(fill["facecolor"][place:place + 2], 16) for place in (1, 3, 5))
            lightness = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
            looks.add((round(5 * lightness), fill.get("hatch")))
        self.assertEqual(len(looks), len(timeline_picture.FILLS))

    def test_a_picture_per_preset_with_its_names(self):
        for simulated in ("", synthetic.PROFILE):
            made = made_up(simulated, variants=["streams", "pool", "fused"])
            self.assert_silent(self.draw("timeline", made, "--variant", "streams,fused"))
            self.assertEqual(self.files(), {f"timeline-{p}.{kind}" for p in PRESETS
                                            for kind in ("png", "svg")})
            words = self.svg_texts("out/timeline-launch.svg")
            for wanted in ("host", "lane 0", "lane 3", "whole pass", *timeline_picture.FILLS):
                self.assertIn(wanted, words)
            variants = [word.split(" · ")[0] for word in words if word.endswith("µs")]
            self.assertEqual(variants, ["streams", "fused"])
            self.assertEqual(sum("simulated" in word for word in words), 2 if simulated else 0)

    def test_a_picture_per_comparison_where_a_preset_has_several(self):
        self.assert_silent(self.draw("timeline", made_up(
            presets=["launch", "search", "launch"], variants=["streams", "fused"])))
        self.assertEqual({name.split(".")[0] for name in self.files()},
                         {"timeline-launch-1", "timeline-launch-2", "timeline-search"})
        for number in (1, 2):
            words = (self.folder / f"out/timeline-launch-{number}.svg").read_text()
            self.assertIn(f">launch, {number}: what ran when<", words)
            self.assertEqual(words.count(">streams · "), 1)

    def test_only_what_is_asked_for(self):
        made = made_up(presets=["search", "reduce"], variants=["graph"])
        self.assert_fails(self.draw("timeline", made, "--preset", "serach"), 2,
                          "no preset 'serach': it has search, reduce")
        self.assert_fails(self.draw("timeline", made, out="input.json/x"), 5,
                          "'input.json/x' cannot be written")
        for chunks in ("0", "-5"):
            self.assert_fails(self.draw("timeline", made, "--chunks", chunks), 2,
                              f"--chunks {chunks}", "at least 1")
        self.assert_silent(self.draw("timeline", made, "--preset", "search"))
        self.assertEqual(len(self.files()), 2)

    def test_a_full_disk(self):
        done = self.draw("timeline", made_up(presets=["search"]), blocks=40)
        self.assertEqual((done.returncode, self.files()), (5, set()))
        self.assertRegex(done.stderr, r"\Atimeline\.py: 'out' .*: make room or name another "
                         r"folder\n\Z")
