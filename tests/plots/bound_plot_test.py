"""Tests of the picture of wall time against chunks, on made-up results. Needs matplotlib."""
import copy
import unittest

import synthetic
from matplotlib import colors
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import bound
import looks
import results as plots_results

NUMBERS = (1, 2, 4, 8, 16, 32, 64, 128)


def made_up(preset="transfer", numbers=NUMBERS, variants=("streams", "graph", "pool"),
            simulated="", base=1000):
    """A pass in several numbers of chunks: the bound is base * (1 + 1/n) + n, and the variants
    stay 10% or more above it."""
    results = synthetic.results([preset], variants, simulated=simulated)
    [one] = results["comparisons"]
    results["comparisons"] = []
    for number in numbers:
        comparison = copy.deepcopy(one)
        comparison["workload"].update(chunks=number, chunk_bytes=one["workload"]["bytes"] / number)
        lowest = base * (1 + 1 / number) + number
        comparison["limit"] = {"bound_us": lowest, "best": {"chunks": 31 + number,
                                                            "bound_us": 0.99 * lowest}}
        for index, measurement in enumerate(comparison["measurements"]):
            synthetic.scale_times(measurement,
                                  (1.1 + index / 10) * lowest / measurement["wall"]["median"])
        results["comparisons"].append(comparison)
    return results


def together(*all_results):
    comparisons = [c for results in all_results for c in results["comparisons"]]
    return {**all_results[0], "comparisons": comparisons}


def cases():
    yield "standard", made_up()
    yield "two numbers", made_up(numbers=(3, 4))
    yield "many numbers", made_up(numbers=range(1, 33))
    yield "large numbers", made_up(numbers=(100, 10_000, 1_000_000))
    yield "one variant", made_up(variants=["graph"])
    yield "all variants", made_up(variants=looks.MODELS)
    yield "two workloads", together(made_up(), made_up("launch", (16, 64, 256), base=5))
    yield "simulated", made_up(simulated=synthetic.PROFILE)
    yield "long", made_up(base=1e9)
    bare = made_up()
    for comparison in bare["comparisons"]:
        del comparison["limit"]
    yield "no limit", bare
    failed = made_up()
    synthetic.fail(failed["comparisons"][2]["measurements"][1], "failed", "wrong data")
    for comparison in failed["comparisons"]:
        synthetic.fail(comparison["measurements"][2], "not supported", "no memory pools here")
        del comparison["limit"]["best"]
    yield "some failed", failed
    for number in (1, 128, 4096):
        edge = made_up(numbers=(2, 8, 64))
        for comparison in edge["comparisons"]:
            comparison["limit"]["best"] = {"chunks": number, "bound_us": 400}
        yield f"best is {number}", edge


def data_lines(axes):
    """Colour to the points of the line that is drawn in data coordinates."""
    return {colors.to_hex(line.get_color()): list(map(tuple, line.get_xydata()))
            for line in axes.lines if len(line.get_xydata()) > 1}


def rings(axes):
    return [line.get_xydata()[0] for line in axes.lines if line.get_markersize() == 10]


class Picture(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case, results in cases():
            with self.subTest(case=case):
                figure = bound.draw(results)
                texts = self.assert_legible(figure)
                for axes in figure.axes:
                    for ring in rings(axes):
                        shown = axes.transAxes.inverted().transform(axes.transData.transform(ring))
                        self.assertTrue((shown > 0).all() and (shown < 1).all(), ring)
                    for note in axes.texts:
                        if note.get_text().startswith("best"):
                            box = note.get_window_extent()
                            self.assertGreater(box.x0, axes.bbox.x0)
                            self.assertLess(box.x1, axes.bbox.x1)
                best = any("best" in words for words in texts)
                self.assertEqual(best, case not in ("no limit", "some failed"))

    def test_lines_hold_what_was_measured_and_the_bound(self):
        results = made_up()
        [axes] = bound.draw(results).axes
        lines = data_lines(axes)
        wanted = {"#000000": [(c["workload"]["chunks"], c["limit"]["bound_us"])
                              for c in results["comparisons"]]}
        for index, variant in enumerate(("streams", "graph", "pool")):
            wanted[looks.LOOKS[looks.MODELS[variant]].colour] = [
                (c["workload"]["chunks"], c["measurements"][index]["wall"]["median"])
                for c in results["comparisons"]]
        self.assertEqual(lines, wanted)

    def test_numbers_stand_in_their_order_whatever_the_files(self):
        results = made_up(numbers=(8, 2, 32))
        self.assertEqual([x for x, _ in data_lines(bound.draw(results).axes[0])["#000000"]],
                         [2, 8, 32])

    def test_the_ring_is_the_formulas_of_the_run_with_the_lowest_bound(self):
        [axes] = bound.draw(made_up()).axes  # 1,063.25 at 32 chunks is the lowest
        self.assertEqual([tuple(ring) for ring in rings(axes)], [(63, 0.99 * 1063.25)])
        self.assertIn("best by the formula: 63", [note.get_text() for note in axes.texts])

    def test_long_times_change_the_unit(self):
        self.assertIn("(s)", bound.draw(made_up(base=1e9)).axes[0].get_ylabel())

    def test_workloads_have_panels_of_their_own(self):
        other_size = made_up()
        for comparison in other_size["comparisons"]:
            comparison["workload"]["bytes"] *= 2
        figure = bound.draw(together(made_up(), other_size, synthetic.results(["search"])))
        self.assertEqual(len(figure.axes), 2)
        self.assertEqual([note.get_text() for axes in figure.axes for note in axes.texts
                          if "in all" in note.get_text()],
                         ["256 MiB in all, 4 lanes", "512 MiB in all, 4 lanes"])


class Files(ScriptTestCase):
    def test_simulated_times_are_called_so(self):
        self.assert_silent(self.draw("bound", made_up(simulated=synthetic.PROFILE)))
        words = set(self.svg_texts("out/bound.svg"))
        self.assertIn("Wall time against the number of chunks, simulated", words)
        self.assertLess({"streams", "graph", "pool", "bound"}, words)

    def test_what_cannot_be_drawn_ends_with_2_and_the_way_out(self):
        wrong = replaced(made_up(), ("comparisons", 3, "limit", "bound_us"), "fast")
        self.assert_refuses("bound", [(synthetic.results(), "--chunks 1..128"),
                                      (wrong, "comparisons[3].limit.bound_us")])

    def test_a_size_in_words(self):
        self.assertEqual([plots_results.size_text(size) for size in (512, 4096, 3 << 20, 5 << 30)],
                         ["512 B", "4 KiB", "3 MiB", "5 GiB"])


if __name__ == "__main__":
    unittest.main()
