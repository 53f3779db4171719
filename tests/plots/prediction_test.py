"""Tests of predicted against measured times on made-up results. Run by ctest; needs matplotlib."""
import copy
import unittest

import synthetic
from matplotlib import colors, image
from plot_test_case import PLOTS, FigureTestCase, ScriptTestCase, replaced

import prediction
import predicted
import results as results_file


def foretold(measured, factors=None, profile=synthetic.PROFILE):
    """Results as if simulated: every time of a variant times its factor in `factors`."""
    results = copy.deepcopy(measured)
    results["schema_version"] = max(2, results["schema_version"])  # version 1 had no simulated times
    results["context"]["simulated"] = profile
    for comparison in results["comparisons"]:
        for measurement in comparison["measurements"]:
            if measurement["status"] == "ok":
                synthetic.scale_times(measurement, (factors or {}).get(measurement["variant"], 1))
    return results


def made_up(walls):
    """Measured results of one preset with these wall medians by variant."""
    results = synthetic.results(["launch"], list(walls), passes=5)
    for measurement in results["comparisons"][0]["measurements"]:
        wall = walls[measurement["variant"]]
        measurement["wall"].update(mean=wall, q1=0.9 * wall, median=wall, q3=1.05 * wall)
    return results


def both(measured, predicted_walls):
    """Results with these wall medians, and such that predict the others."""
    there = made_up(predicted_walls)
    there["context"]["simulated"] = "Example"
    return made_up(measured), there


class Figures(unittest.TestCase):
    def test_errors_count_to_either_side(self):
        walls = {f"v{index}": 100.0 for index in range(11)}
        forecasts = {name: 100.0 + index * (-1) ** index for index, name in enumerate(walls)}
        lines = list(prediction.summary(*both(walls, forecasts)))
        self.assertEqual(lines[0], "11 of 11 wall times have a prediction")
        self.assertEqual(lines[1],
                         "relative error: median 5.0%, 90th percentile 9.0%, largest 10.0%")

    def test_pairs_count_from_the_factor_on_and_misses_are_listed(self):
        lines = list(prediction.summary(*both(
            {"serial": 300, "streams": 120, "graph": 100, "pool": 119},
            {"serial": 100, "streams": 99, "graph": 100, "pool": 50})))
        # Two of the six pairs, streams and pool, pool and graph, are less than 1.2 times apart.
        self.assertEqual(lines[2:], [
            "pairs at least 1.2 times apart: 2 of 4 in the right order (50.0%)",
            "  launch: serial over graph: 3.00 measured, 1.00 predicted",
            "  launch: streams over graph: 1.20 measured, 0.99 predicted",
            "pairs at least 1.5 times apart: 2 of 3 in the right order (66.7%)",
            "  launch: serial over graph: 3.00 measured, 1.00 predicted"])

    def test_only_variants_of_one_preset_are_paired(self):
        measured = synthetic.results(["launch", "transfer"], ["streams", "graph"])
        found = list(prediction.pairs(measured, foretold(measured), 1.0001))
        self.assertEqual([(pair.place, pair.slow, pair.fast) for pair in found],
                         [("launch", "streams", "graph"), ("transfer", "streams", "graph")])

    def test_what_has_no_time_in_either_file_does_not_count(self):
        measured, forecast = both({"serial": 300, "streams": 120, "graph": 100},
                                  {"serial": 300, "streams": 120, "graph": 100})
        synthetic.fail(measured["comparisons"][0]["measurements"][0], "failed", "wrong data")
        synthetic.fail(forecast["comparisons"][0]["measurements"][1], "not run", "")
        self.assertEqual(list(prediction.summary(measured, forecast)), [
            "1 of 3 wall times have a prediction",
            "relative error: median 0.0%, 90th percentile 0.0%, largest 0.0%",
            "pairs at least 1.2 times apart: 0 of 0 in the right order",
            "pairs at least 1.5 times apart: 0 of 0 in the right order"])


class Pictures(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case, measured in synthetic.cases():
            with self.subTest(case=case):
                forecast = foretold(measured, {"graph": 1.3, "pool": 0.01})
                self.assert_legible(predicted.draw(measured, forecast))

    def test_bars_are_as_long_as_the_times_and_the_error_stands_beside_them(self):
        measured, forecast = both({"streams": 200, "graph": 100}, {"streams": 250, "graph": 88})
        figure = predicted.draw(measured, forecast)
        axes = figure.axes[0]
        self.assertEqual([bar.get_width() for bar in axes.patches], [200, 250, 100, 88])
        self.assertGreater(axes.get_xlim()[1], 1.05 * 250)
        self.assertEqual([bool(bar.get_hatch()) for bar in axes.patches],
                         [False, True, False, True])
        self.assertEqual([bar.get_edgecolor() for bar in axes.patches],
                         [colors.to_rgba(look) for look in ("#0072b2", "#0072b2",
                                                            "#d55e00", "#d55e00")])
        self.assertEqual([note.get_text() for note in axes.texts if "%" in note.get_text()],
                         ["+25.0%", "−12.0%"])
        words = " ".join(found.get_text().replace("\n", " ") for found in figure.texts)
        self.assertIn("measured on NVIDIA Example 100, simulated with Example ·", words)

    def test_a_variant_without_times_says_why(self):
        measured, forecast = both({"streams": 200, "graph": 100}, {"streams": 150, "graph": 112})
        synthetic.fail(forecast["comparisons"][0]["measurements"][1], "failed", "made up")
        axes = predicted.draw(measured, forecast).axes[0]
        words = [note.get_text() for note in axes.texts]
        self.assertIn("failed: made up", words)
        self.assertEqual([word for word in words if "%" in word], ["−25.0%"])


class Files(ScriptTestCase):
    def predict(self, measured, forecast, out="out"):
        """The ended process."""
        paths = self.write(measured, "m.json"), self.write(forecast, "p.json")
        return self.run_script("predicted", *paths, out)

    def test_variants_in_another_order_still_meet(self):
        measured = synthetic.results(["launch", "search"])
        forecast = foretold(measured, {"graph": 1.25})
        for comparison in forecast["comparisons"]:
            comparison["measurements"].reverse()
        done = self.predict(measured, forecast)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("12 of 12", done.stdout)
        self.assertIn("largest 25.0%", done.stdout)
        self.assertEqual(self.files(), {"predicted.png", "predicted.svg"})
        self.assertGreaterEqual(image.imread(self.folder / "out/predicted.png").shape[1], 1000)

    def test_files_that_do_not_belong_together_end_with_2_and_one_line(self):
        good = synthetic.results(["launch", "reduce"], ["streams", "graph"], passes=5)
        for comparison in good["comparisons"]:
            comparison["winners"] = []  # which must be variants of the file
        measurement = ("comparisons", 0, "measurements", 1)

        def put(*place, value):
            return replaced(foretold(good), place, value)
        for measured, forecast, words in (
                (foretold(good, profile="Some GPU"), good,
                 "m.json' was simulated, with Some GPU: name the measured"),
                (foretold(good), foretold(good), "m.json' was simulated"),
                (good, good, "p.json' was measured"),
                (good, foretold(good, profile=""), "p.json' was measured"),
                (good, put("comparisons", value=good["comparisons"][:1]),
                 "presets launch, reduce against launch"),
                (good, put("comparisons", value=good["comparisons"][::-1]),
                 "presets launch, reduce against reduce, launch"),
                (good, put("comparisons", 1, "workload", "modified", value=True),
                 "presets launch, reduce against launch, reduce, modified"),
                (good, put("comparisons", 1, "workload", "lanes", value=3),
                 "reduce with lanes 4 against 3"),
                (good, put("comparisons", 1, "workload", "rounds", value=2),
                 "reduce with rounds 1 against 2"),
                (good, put("comparisons", 0, "mode", value="throughput"),
                 "launch with mode latency against throughput"),
                (good, put(*measurement, "variant", value="pool"),
                 "launch with variants graph, streams against pool, streams"),
                (good, put("comparisons", 0, "measurements", value=[]),
                 "comparisons[0].reference should be one of no variants and is"),
                (good, put(*measurement, "wall", "mean", value=0),
                 "wall.mean should be a number from 1e-06 to 1e+15 and is 0"),
                (good, put("schema", value="other"), "p.json' is JSON but not a trilane results")):
            with self.subTest(words=words):
                self.assert_fails(self.predict(measured, forecast), 2, words)

    def test_a_folder_that_cannot_be_written_ends_with_5(self):
        good = synthetic.results(["launch"], passes=5)
        done = self.predict(good, foretold(good), "m.json")
        self.assert_fails(done, 5, "'m.json' cannot be written")

    def test_the_committed_results_can_be_predicted(self):
        path = PLOTS / "results/h200.json.gz"
        found = results_file.load(path)
        self.assertEqual(results_file.simulated(found), "")
        done = self.predict(found, foretold(found, {"graph": 1.1}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in the right order (100.0%)", done.stdout)
