"""Tests that the pictures' texts can be read, on made-up results. Run by ctest; needs matplotlib,
no GPU."""
import itertools

import synthetic
from matplotlib import pyplot
from plot_test_case import PLOTS, SCRIPTS, FigureTestCase

import contenders
import results as plots_results
import scales


class Legible(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure_and_panels_have_units(self):
        for (case, results), name in itertools.product(synthetic.cases(), SCRIPTS):
            with self.subTest(case=case, script=name):
                figure = SCRIPTS[name].draw(results)
                self.assertGreater(len(self.assert_legible(figure)), 8)
                for axes in figure.axes if case == "standard" else ():
                    self.assertRegex(axes.get_xlabel(), r"\((µs|ms|s|×)\)")

    def test_all_contenders_fit_into_one_picture(self):
        # With the longest remarks: predictions that are inconclusive.
        predicted = plots_results.load(PLOTS / "results/predicted.json.gz")
        for case, results in (*synthetic.cases(), ("predicted", predicted)):
            with self.subTest(case=case):
                figure = contenders.draw_all(results)
                self.assert_legible(figure)
                self.assertEqual(len(figure.axes), sum(
                    contenders.draw(c | {"name": "n"}) is not None for c in results["comparisons"]))
                pyplot.close("all")

    def test_scales_have_few_plain_ticks(self):
        axes = pyplot.figure().subplots()
        for low, ratio in itertools.product((0.03, 0.1, 0.99, 7, 360),
                                            (1.3, 1.7, 2.5, 6, 30, 200, 900, 1e5, 1e7)):
            scales.logarithmic(axes, low, low * ratio)
            ticks = list(axes.get_xticks())
            labels = [axes.xaxis.get_major_formatter()(tick, 0) for tick in ticks]
            self.assertTrue(2 + (ratio > 2) <= len(labels) <= 6, (low, ratio, labels))
            decades = [10.0**power for power in range(-4, 10) if low <= 10.0**power <= low * ratio]
            self.assertTrue(ratio > 1e6 or set(decades) <= set(ticks), (decades, ticks))
            self.assertEqual(len(set(labels)), len(labels))
            self.assertNotIn("e", "".join(labels))

    def test_long_times_change_the_unit(self):
        self.assertEqual(scales.time_unit(99_999), ("µs", 1))
        self.assertEqual(scales.time_unit(100_000), ("ms", 1e3))
        self.assertEqual([scales.short(value) for value in (0.4567, 12.34, 99.96, 5466.4)],
                         ["0.46", "12.3", "100", "5,466"])
