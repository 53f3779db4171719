"""Tests of the plot scripts on made-up results. Run by ctest; needs matplotlib, no GPU."""
import itertools

import synthetic
from matplotlib import colors, image
from plot_test_case import ROWS, SCRIPTS, FigureTestCase, ScriptTestCase, replaced

import clocks
import footprint
import looks
import ratios
import results as plots_results
import setup
import speedup
import times


class Variants(FigureTestCase):
    def test_one_look_in_all_pictures(self):
        results = synthetic.results(variants=synthetic.TWELVE)
        seen = {}
        for name, script in ROWS.items():
            for axes in script.draw(results).axes:
                names = [label.get_text() for label in axes.get_yticklabels()]
                self.assertLessEqual(set(names), set(synthetic.TWELVE))
                self.assertTrue(len(names) == len(synthetic.TWELVE) or name == "setup")
                for row, variant, key in zip(axes.get_yticks(), names, axes.lines):
                    look = (colors.to_hex(key.get_color()), key.get_marker())
                    self.assertEqual(seen.setdefault(variant, look), look, name)
                    bars = [bar for bar in axes.patches
                            if abs(bar.get_y() + bar.get_height() / 2 - row) < 0.4]
                    self.assertTrue(bars or variant == "streams" and name == "speedup")
                    for bar in bars if name != "setup" else ():  # whose colours are those of the
                                                                 # phases
                        self.assertEqual(colors.to_hex(bar.get_edgecolor()), look[0], name)
        self.assertEqual(len({colour for colour, _ in seen.values()}), len(synthetic.TWELVE))
        self.assertEqual(len({marker for _, marker in seen.values()}), len(synthetic.TWELVE))

    def test_a_further_name_keeps_its_look(self):
        self.assertEqual(looks.choose(["mapped"])["mapped"],
                         looks.choose([*synthetic.VARIANTS, "mapped"])["mapped"])
        crowd = [f"v{index}" for index in range(40)]
        self.assertEqual(set(looks.choose(crowd)), set(crowd))
        self.assertEqual(looks.choose(crowd), looks.choose(crowd[::-1]))

    def test_policies_of_one_pool_are_told_apart(self):
        names = ["engines", "pool", "pool_trim", "pool:default", "pool:opportunistic=on",
                 "pool:events=off", "pool:internal=on", "pool:pools=lane", "pool:allocations=2"]
        found = looks.choose(names)
        self.assertEqual(len({look.colour for look in found.values()}), len(names))
        self.assertEqual(len({look.marker for look in found.values()}), len(names))
        self.assertEqual(found["engines"], looks.choose(["engines"])["engines"])
        model = looks.MODELS["graph_fused"]
        self.assertEqual(looks.choose(["new"], {"new": model}), looks.choose(["new"], {
            "new": model, "pool": looks.MODELS["streams"]}))
        self.assertNotEqual(looks.choose(["new"], {"new": model}), looks.choose(["new"]))

    def test_ties_are_marked_and_nothing_else_is(self):
        results = synthetic.results(["launch"])
        rows = {m["variant"]: m for m in results["comparisons"][0]["measurements"]}
        rows["graph"]["ratio"] = {"estimate": 0.5, "low": 0.45, "high": 0.55}
        rows["pool"]["ratio"] = {"estimate": 0.99, "low": 0.97, "high": 1.0}
        rows["malloc"]["ratio"] = {"estimate": 1.02, "low": 1.01, "high": 1.03}
        axes = speedup.draw(results).axes[0]
        hollow = {line.get_ydata()[0] for line in axes.lines
                  if len(line.get_ydata()) == 1 and line.get_markerfacecolor() == "white"}
        names = [label.get_text() for label in axes.get_yticklabels()]
        self.assertEqual({names[int(row)] for row in hollow}, {"pool"})
        words = {note.xy[1]: note.get_text() for note in axes.texts if note.get_text()[0].isdigit()}
        self.assertEqual(words[names.index("graph")], "2.000 (1.818–2.222)")
        self.assertEqual(words[names.index("pool")], "1.010 (1.000–1.031) tie")

    def test_what_is_known_of_a_speed_is_said_and_nothing_else(self):
        for ratio, bounds, remark in (
                ((0.5, 0.4, 0.8), (1.25, 2.5), ""), ((0.5, 0.4, 1.25), (0.8, 2.5), "tie"),
                ((0.5, 0.4, 1.25, "model's error"), (0.8, 2.5), "inconclusive"),
                ((0.5, 0.4, 0.8, "model's error"), (1.25, 2.5), ""),
                ((0.5, 0, 2), None, "inconclusive"), ((0.5, 0.5, 0.5, "nothing"), None, "")):
            ratio = dict(zip(("estimate", "low", "high", "covers"), ratio))
            self.assertEqual((ratios.speed(ratio), ratios.bounds(ratio), ratios.remark(ratio)),
                             (2, bounds, remark))
        results = synthetic.results(["launch"], ["streams", "graph", "pool"])
        rows = results["comparisons"][0]["measurements"]
        rows[1]["ratio"] = {"estimate": 0.5, "low": 0, "high": 2}
        rows[2]["ratio"] = {"estimate": 0.8, "low": 0.8, "high": 0.8}
        axes = speedup.draw(results).axes[0]
        said = [note.get_text() for note in axes.texts if note.get_text()[0].isdigit()]
        self.assertEqual(said[1:], ["2.000 inconclusive", "1.250"])
        self.assertEqual(len(axes.patches), 0)

    def test_the_winners_of_tiers_are_bold_and_tiers_have_headings(self):
        results = synthetic.results(["launch"], ["fused", "graph_coalesced", "pool", "mapped",
                                                 "graph", "streams"])
        comparison = results["comparisons"][0]
        comparison["measurements"][3]["plan"]["model"]["mover"] = "birds"
        synthetic.decide(comparison)
        axes = speedup.draw(results).axes[0]
        names = {label.get_text(): row for row, label in zip(axes.get_yticks(),
                                                             axes.get_yticklabels())}
        self.assertEqual(list(names.items()), [("pool", 1), ("graph", 2), ("streams", 3),
                                               ("graph_coalesced", 5), ("fused", 7),
                                               ("mapped", 9)])
        headings = {note.xy[1]: note.get_text() for note in axes.texts
                    if note.get_style() == "italic"}
        self.assertEqual(headings, {0: "same operations", 4: "moved together", 6: "rewritten",
                                    8: "of no known tier"})
        bold = {note.xy[1] for note in axes.texts if note.get_weight() == "bold"}
        self.assertEqual(bold, {2, 5, 7})


class Prices(FigureTestCase):
    def costs(self, **price):
        return dict(setup.costs({"phases": {}, "passes_us": [[7], [7]], "priming_us": [],
                                 "teardown_us": [0], **price}))

    def test_parts_are_sums_of_medians_and_hold_unknown_phases(self):
        self.assertEqual(self.costs(phases={"pool": [5], "allocation": [1]}), {"memory": 6})
        self.assertEqual(self.costs(phases={"capture": [9, 1, 2], "a_new_one": [3], "other": [4]}),
                         {"graph": 2, "streams and threads": 7})

    def test_parts_differ_without_colour(self):
        seen = set()
        for fill, _ in setup.PARTS.values():
            red, green, blue = colors.to_rgb(fill["facecolor"])
            seen.add((round(5 * (0.2126 * red + 0.7152 * green + 0.0722 * blue)),
                      fill.get("hatch")))
        self.assertEqual(len(seen), len(setup.PARTS))

    def test_the_first_pass_counts_by_what_it_takes_more(self):
        self.assertEqual(self.costs(passes_us=[[30, 31, 29], [20, 20, 26]]), {"first pass": 10})
        self.assertEqual(self.costs(passes_us=[[10], [20]]), {})

    def test_a_set_up_within_a_quarter_of_the_reference_s_is_named_and_not_drawn(self):
        results = synthetic.results(["launch"], ["graph", "streams", "pool", "malloc", "threads"])
        rows = {m["variant"]: m for m in results["comparisons"][0]["measurements"]}
        for variant, us in (("streams", 100), ("pool", 124), ("malloc", 81), ("threads", 79)):
            rows[variant]["price"]["setup_us"] = [us] * 7
        axes = setup.draw(results).axes[0]
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         ["graph", "streams", "threads"])
        self.assertEqual(axes.get_xlabel(), "time (µs)\nas streams: pool, malloc")

    def test_break_even_in_words(self):
        for break_even, words in (
                (None, ""), ({"pays": "never"}, "never"),
                ({"pays": "at once", "low": 0, "passes": 0.0, "high": 0.0}, "at once"),
                ({"pays": "at once", "low": 0, "passes": 0.01, "high": 0.2}, "at once [0, 0.2]"),
                ({"pays": "later", "low": 0, "passes": 0.01, "high": 0.2}, "<0.1 [0, 0.2]"),
                ({"pays": "at once", "low": 0, "passes": 0.0}, "at once [0, never]"),
                ({"pays": "never", "low": 7.0}, "never [7.0, never]"),
                ({"pays": "later", "passes": 3.14, "low": 2.9, "high": 1234.5},
                 "3.1 [2.9, 1,234]"),
                ({"pays": "later", "passes": 30.0, "low": 20.0}, "30 [20, never]"),
                ({"pays": "at first", "passes": 30.0, "low": 20.0}, "first 30 [20, always]")):
            self.assertEqual(setup.pays(break_even), words)

    def test_bars_are_as_long_as_the_costs(self):
        results = synthetic.results(["launch"], ["graph"])
        axes = setup.draw(results).axes[0]
        price = results["comparisons"][0]["measurements"][0]["price"]
        bars = [bar for bar in axes.patches if bar.get_height() > 0.5]
        self.assertAlmostEqual(max(bar.get_x() + bar.get_width() for bar in bars),
                               sum(us for _, us in setup.costs(price)))
        self.assertEqual(len(bars), len(setup.costs(price)))

    def test_footprints_are_sorted_by_memory_and_what_leads_is_filled(self):
        results = synthetic.results(["launch"], ["streams", "pool", "graph", "malloc", "serial"])
        figures = {"streams": (64, 100), "pool": (64, 80), "graph": (2, 90), "malloc": (0, 95),
                   "serial": (0, 300)}
        for m in results["comparisons"][0]["measurements"]:
            mib, m["wall"]["mean"] = figures[m["variant"]]
            m["price"]["device_bytes"] = [mib << 20]
        axes = footprint.draw(results).axes[0]
        names = [label.get_text() for label in axes.get_yticklabels()]
        self.assertEqual(names, ["streams", "pool", "graph", "serial", "malloc"])
        points = [line for line in axes.lines if line.get_transform() == axes.transData]
        self.assertEqual([(names[line.get_ydata()[0]], line.get_xdata()[0]) for line in points],
                         [(name, figures[name][1]) for name in names])
        filled = {names[line.get_ydata()[0]] for line in points
                  if line.get_markerfacecolor() != "white"}
        self.assertEqual(filled, {"pool", "graph", "malloc"})
        said = {names[note.xy[1]]: note.get_text() for note in axes.texts
                if note.xycoords != "axes fraction"}
        self.assertEqual(said, {"streams": "64 MiB", "graph": "2 MiB", "serial": "none"})

    def test_the_share_of_the_host_is_filled_and_said(self):
        results = synthetic.results(["launch"], ["streams", "graph"])
        rows = [m for m in results["comparisons"][0]["measurements"]]
        for m, clocks_us in zip(rows, ((80, 98, 100), (5, 40, 50))):
            for clock, us in zip(("submit", "device", "wall"), clocks_us):
                m[clock] = {"mean": us, "median": us, "q1": us, "q3": us}
        axes = clocks.draw(results).axes[0]
        self.assertEqual([bar.get_width() for bar in axes.patches], [100, 80, 50, 5])
        self.assertEqual([note.get_text() for note in axes.texts
                          if note.xycoords != "axes fraction"], ["100 · 80%", "50.0 · 10%"])
        ticks = [list(line.get_xdata()) for line in axes.lines
                 if line.get_ydata()[0] != line.get_ydata()[-1]]
        self.assertEqual(ticks, [[40, 40]])


class Files(ScriptTestCase):
    def test_pictures_are_whole_and_name_everything(self):
        failed = dict(synthetic.cases())["some failed"]
        del failed["comparisons"][1:]
        known = {"standard": synthetic.results(["launch", "transfer"]), "some failed": failed}
        for name, (case, results) in itertools.product(SCRIPTS, known.items()):
            self.assert_silent(self.draw(name, results))
            pixels = image.imread(self.folder / "out" / f"{name}.png")
            self.assertGreaterEqual(pixels.shape[1], 1000)
            self.assertGreater(pixels[..., :3].std(), 0.01)
            words = set(self.svg_texts(f"out/{name}.svg"))
            named = words | {variant for line in words if line.startswith("as streams: ")
                             for variant in line.removeprefix("as streams: ").split(", ")}
            for comparison in results["comparisons"]:
                self.assertIn(comparison["workload"]["name"], words)
                for measurement in comparison["measurements"]:
                    self.assertIn(measurement["variant"], named)
            self.assertTrue(any("NVIDIA Example 100 · latency mode" in line for line in words))
            self.assertTrue(any(all(part in line for part in ("2001-02-03", "999.1", "CUDA 98.7",
                                                               "Trilane 0.1.0 0123456789ab-dirty"))
                                for line in words))
            self.assertFalse(any("simulated" in line for line in words))
            failures = {"failed: wrong data", "not supported: no memory pools here", "not run"}
            self.assertEqual(failures & words, failures if case == "some failed" else set())
        self.assertEqual(self.files(),
                         {f"{name}.{kind}" for name in SCRIPTS for kind in ("png", "svg")})

    def test_simulated_times_are_called_so_with_the_profile(self):
        results = synthetic.results(["launch"], simulated=synthetic.PROFILE)
        for name in SCRIPTS:
            self.assert_silent(self.draw(name, results))
            said = [line for line in self.svg_texts(f"out/{name}.svg") if "simulated" in line]
            self.assertTrue(said[0].endswith(", simulated"), said)
            self.assertEqual(said[1:], [f"simulated, {synthetic.PROFILE} · latency mode"])

    def test_other_host_memory_is_in_the_title(self):
        label = plots_results.label
        self.assertEqual(label({"name": "launch"}), "launch")
        self.assertEqual(label({"name": "launch", "host_memory": "pinned"}), "launch")
        self.assertEqual(label({"name": "launch", "modified": True, "host_memory": "pageable"}),
                         "launch, modified, pageable")

    def test_version_1_is_read_as_measured(self):
        results = synthetic.results(["launch"])
        self.draw("times", results, out="new")
        del results["context"]["simulated"]
        results["schema_version"] = 1
        self.assert_silent(self.draw("times", results, out="old"))
        self.assertEqual((self.folder / "old/times.svg").read_bytes(),
                         (self.folder / "new/times.svg").read_bytes())

    def test_same_results_same_svg(self):
        self.assert_reproducible("times", synthetic.results(["launch"]))

    def test_wrong_files_end_with_2_and_one_line(self):
        self.assert_refuses("times", wrong_files())
        for name in SCRIPTS:
            self.assert_refuses(name, [(None, "cannot be read")])
        self.assert_fails(self.run_script("verdicts", "absent.json"), 2, "cannot be read")

    def test_a_folder_that_cannot_be_made_ends_with_5(self):
        done = self.draw("times", synthetic.results(["launch"]), out="input.json/out")
        self.assert_fails(done, 5, "'input.json/out' cannot be written")

    def test_a_failed_write_leaves_the_old_picture(self):
        (self.folder / "times.png").write_text("old")
        done = self.draw("times", synthetic.results(["launch"]), out=".", blocks=40)
        self.assertEqual((done.returncode, self.files(".")), (5, {"times.png", "input.json"}))
        self.assertRegex(done.stderr, r"\Atimes\.py: '\.' .*: make room or name another folder\n\Z")
        self.assertEqual((self.folder / "times.png").read_text(), "old")

    def test_verdicts(self):
        for results, words in (
                (synthetic.results(["launch", "reduce"]),
                 "launch: use any of them, made up.\nreduce: use any of them, made up.\n"),
                (synthetic.results(["launch"], simulated=synthetic.PROFILE),
                 f"Simulated, not measured: the times are those of {synthetic.PROFILE}.\n"
                 "launch: use any of them, made up.\n")):
            done = self.run_script("verdicts", self.write(results))
            self.assertEqual((done.returncode, done.stdout), (0, words), done.stderr)


def wrong_files():
    """Pairs of a file's content and words that the message must hold."""
    good = synthetic.results(["launch"], ["streams", "graph"], passes=5)
    yield None, "cannot be read"
    for content in ("", "not JSON", '{"schema": ', "[" * 100_000):
        yield content, "is not JSON"
    for content in ("[]", "{}", '"trilane-results"', '{"schema": "other", "schema_version": 1}'):
        yield content, "trilane-results"
    graph = ("comparisons", 0, "measurements", 1)
    for place, value, words in (
            (("schema_version",), 8, "schema version 8"),
            (("schema_version",), "3", "schema version '3'"),
            (("context", "simulated"), None, ".context.simulated"),
            (("context", "colour"), "red", '.context.colour should be left out and is "red"'),
            ((*graph, "samples", "wall_us", 3), 0, "wall_us[3] should be a number from 0.001 to"),
            (("comparisons",), [], ".comparisons should be a list of at least one"),
            (("context",), None, ".context"),
            ((*graph, "status"), "fine", "measurements[1].status"),
            ((*graph, "wall"), None, "[1].wall should be an object and is missing"),
            ((*graph, "wall", "median"), float("nan"), "wall.median"),
            ((*graph, "wall", "q3"), float("inf"), "wall.q3"),
            ((*graph, "wall", "q3"), 1, "wall.q3 should be at least .median"),
            ((*graph, "wall", "p99"), 1, "wall.p99 should be at least .median"),
            ((*graph, "ratio", "low"), 2, "ratio.estimate should be at least .low, 2"),
            ((*graph, "break_even"), {"low": 1}, "break_even.pays should be one of"),
            ((*graph, "variant"), "streams", "[1] should be another variant than those before"),
            ((*graph, "variant"), "a\x1bb", "variant should be a text of 1 to 200 printable"),
            (("comparisons", 0, "reference"), "pool", ".reference should be one of graph, streams"),
            ((*graph, "price", "phases", "capture"), [1], "phases.capture should be a list of 7"),
            ((*graph, "submit", "q1"), -1, "submit.q1"),
            ((*graph, "device", "q3"), True, "device.q3"),
            ((*graph, "samples", "wall_us", 3), "7", "wall_us[3]"),
            ((*graph, "plan", "model", "mover"), 7, "plan.model.mover should be one of copy engines"),
            ((*graph, "ratio", "low"), -1, "ratio.low"),
            ((*graph, "ratio", "estimate"), 0, "ratio.estimate should be a number from 1e-09"),
            ((*graph, "price", "setup_us"), None, "price.setup_us should be a list"),
            ((*graph, "price", "device_bytes", 2), "x", "price.device_bytes[2]"),
            ((*graph, "price", "priming_us"), 5, "price.priming_us should be a list and is 5"),
            ((*graph, "price", "passes_us"), [], "price.passes_us should be a list of at least one"),
            ((*graph, "price", "passes_us", 1), [], "passes_us[1] should be a list of 7, as .setup_us"),
            ((*graph, "price", "phases", "capture", 1), None, "price.phases.capture[1]"),
            (("comparisons", 0, "winners", 0, "tier"), "best", "winners[0].tier should be one of"),
            (("comparisons", 0, "winners", 0, "variant"), "pool", "one of graph, streams and is"),
            (("comparisons", 0, "winners", 0, "ratio", "high"), 0, "winners[0].ratio.high should be"),
            (("comparisons", 0, "winners", 0, "tied"), None, "winners[0].tied"),
            (("answers", 1, "text"), 5, ".answers[1].text should be a text and is 5"),
            (("doubts", 0), {}, ".doubts[0] should be a text and is {}"),
            (("comparisons", 0, "workload", "chunks"), None, "workload.chunks")):
        yield replaced(good, place, value), words
