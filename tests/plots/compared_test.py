"""Tests of the picture of two runs on made-up comparisons. Run by ctest; needs matplotlib."""
import copy

import synthetic
from matplotlib import colors, patches
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import compared


def change(variant, verdict, low, high, spread=1.0):
    """A variant whose ratio lies between these, and by `spread` wider for its processes."""
    estimate = (low * high) ** 0.5
    return {"variant": variant, "verdict": verdict, "message": "", "old_us": 100.0,
            "new_us": 100 * estimate,
            "measured": {"estimate": estimate, "low": low, "high": high},
            "ratio": {"estimate": estimate, "low": low / spread, "high": high * spread}}


def without_times(variant, verdict, message):
    return {"variant": variant, "verdict": verdict, "message": message}


EACH = [change("streams", "SAME", 0.99, 1.01), change("graph", "SLOWER", 1.25, 1.6),
        change("pool", "FASTER", 0.5, 0.625), change("malloc", "UNSURE", 0.9, 1.2, 1.2),
        without_times("fused", "LOST", "failed: wrong data"),
        without_times("graph_pool", "-", "not supported: no memory pools")]


def made_up(presets=("launch", "transfer"), measurements=EACH, simulated=""):
    results = synthetic.results(presets, ["streams"], simulated=simulated)
    return {"schema": "trilane-comparison", "schema_version": 1,
            "old": {"file": "runs/old.json", "context": results["context"]},
            "new": {"file": "new.json", "context": {**results["context"], "git_revision": "fedc"}},
            "same_within": 0.02,
            "comparisons": [{"workload": c["workload"], "mode": "latency", "wait": "spin",
                             "measurements": copy.deepcopy(list(measurements))}
                            for c in results["comparisons"]]}


def cases():
    yield "standard", made_up()
    yield "all presets", made_up(list(synthetic.PRESETS))
    yield "one preset", made_up(["search"])
    yield "one variant", made_up(["search"], EACH[:1])
    yield "many variants", made_up(measurements=[
        change(name, "SLOWER", 1.1, 1.2) for name in synthetic.TWELVE])
    yield "simulated", made_up(simulated=synthetic.PROFILE)
    yield "nothing left", made_up(measurements=EACH[4:])
    yield "far apart", made_up(measurements=[change("graph", "SLOWER", 1000, 3000),
                                             change("fused", "FASTER", 0.0004, 0.0005)])
    named = made_up()
    for which in ("old", "new"):
        named[which]["file"] = f"/a/path/a-long-name-of-{which}-" + 40 * "x" + ".json"
    yield "long names", named
    few = change("graph", "UNSURE", 1, 2)
    few["ratio"]["low"] = few["measured"]["low"] = 0
    yield "too few rounds", made_up(measurements=[few])
    empty = made_up()
    empty["comparisons"][0]["measurements"] = []
    yield "nothing in common", empty


class Pictures(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case, found in cases():
            with self.subTest(case=case):
                self.assert_legible(compared.draw(found))

    def test_rows_say_how_fast_and_show_both_intervals_in_the_colour_of_the_verdict(self):
        axes = compared.draw(made_up(["launch"])).axes[0]
        words = [note.get_text() for note in axes.texts]
        self.assertEqual([word for word in words if word.split()[-1] in compared.LOOKS],
                         ["1.000 SAME", "0.707 SLOWER", "1.789 FASTER", "0.962 UNSURE"])
        boxes = [found for found in axes.patches
                 if isinstance(found, patches.Rectangle) and found.get_height() == 0.7]
        for box, measurement in zip(boxes, EACH):
            colour = compared.LOOKS[measurement["verdict"]][0]
            self.assertEqual(box.get_facecolor()[:3], colors.to_rgb(colour))
            self.assertAlmostEqual(box.get_x(), 1 / measurement["measured"]["high"])
            self.assertAlmostEqual(box.get_x() + box.get_width(),
                                   1 / measurement["measured"]["low"])
        lines = [line for line in axes.lines if line.get_linewidth() == 1.3]
        for line, measurement in zip(lines, EACH):
            self.assertEqual(list(line.get_xdata()),
                             [1 / measurement["ratio"]["high"], 1 / measurement["ratio"]["low"]])
        self.assertEqual((len(boxes), len(lines)), (4, 4))
        band = next(found for found in axes.patches if found not in boxes)
        self.assertAlmostEqual(band.get_extents().x0, axes.transData.transform((1 / 1.02, 0))[0])
        self.assertAlmostEqual(band.get_extents().x1, axes.transData.transform((1.02, 0))[0])

    def test_verdicts_differ_without_colour(self):
        markers = [marker for _, marker in compared.LOOKS.values()]
        self.assertEqual(len(set(markers)), len(markers))
        axes = compared.draw(made_up(["launch"])).axes[0]
        hollow = [line.get_markerfacecolor() == "white" for line in axes.lines
                  if line.get_markersize() == 6 and line.get_marker() in markers
                  and len(line.get_xdata()) == 1 and line.get_xdata()[0] > 0.1]
        self.assertEqual(hollow, [False, False, False, True])

    def test_who_has_no_times_says_why(self):
        axes = compared.draw(made_up(["launch"])).axes[0]
        words = [note.get_text() for note in axes.texts]
        self.assertIn("LOST: failed: wrong data", words)
        self.assertTrue(any(word.startswith("no times in old: not supp") for word in words), words)

    def test_too_few_rounds_have_no_interval(self):
        found = dict(cases())["too few rounds"]
        axes = compared.draw(found).axes[0]
        self.assertFalse([box for box in axes.patches
                          if getattr(box, "get_height", lambda: 0)() == 0.7])

    def test_workloads_without_a_common_variant_are_left_out(self):
        self.assertEqual(len(compared.draw(dict(cases())["nothing in common"]).axes), 1)


class Files(ScriptTestCase):
    def words(self):
        return " ".join(self.svg_texts("out/compared.svg"))

    def test_pictures_are_written_and_name_both_runs(self):
        self.assert_silent(self.draw("compared", made_up()))
        self.assertEqual(self.files(), {"compared.png", "compared.svg"})
        self.assertIn("old: old.json, NVIDIA Example 100, driver 999.1, revision 0123456789ab-dirty"
                      " · new: new.json, NVIDIA Example 100, driver 999.1, revision fedc",
                      self.words())
        self.assertTrue(self.words().endswith("Trilane 0.1.0 fedc"), self.words()[-60:])
        self.assertNotIn("simulated", self.words())

    def test_simulated_runs_are_called_so(self):
        self.assert_silent(self.draw("compared", made_up(simulated=synthetic.PROFILE)))
        self.assertIn("New beside old, simulated", self.words())
        self.assertIn(f"old: old.json, simulated {synthetic.PROFILE}", self.words())

    def test_same_comparison_same_svg(self):
        self.assert_reproducible("compared", made_up())

    def test_wrong_files_end_with_2_and_one_line(self):
        self.assert_refuses("compared", wrong_files())


def wrong_files():
    yield None, "cannot be read"
    yield "not JSON", "is not JSON"
    yield '{"schema": "trilane-results"}', 'should be "trilane-comparison"'
    for place, value, words in (
            (("schema_version",), 2, "schema version 2, and these scripts read 1: use"),
            (("comparisons", 0, "workload", "chunks"), None, ".workload.chunks"),
            (("comparisons", 1, "measurements", 0, "verdict"), "FINE", "measurements[0].verdict"),
            (("comparisons", 1, "measurements", 1, "ratio"), None, "measurements[1].ratio"),
            (("comparisons", 1, "measurements", 1, "measured", "high"), 0, "measured.high should be a number"),
            (("comparisons", 1, "measurements", 1, "ratio", "low"), "1", "ratio.low"),
            (("comparisons",), [], "nothing to draw")):
        yield replaced(made_up(), place, value), words
    yield made_up(measurements=[]), "nothing to draw"
