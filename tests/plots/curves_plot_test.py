"""Tests of the picture of a sweep over one knob, on made-up curves. Needs matplotlib, no GPU."""
import synthetic
from matplotlib import colors
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import curves
import looks
import results
import sweep_file

CHUNKS = [1, 2, 4, 8, 16, 32, 64, 128]


def made_up(variants=("streams", "graph", "fused"), values=CHUNKS, knob="chunks", unit="",
            merit="wall time", simulated="", base=1000.0, findings=2):
    """Variant i takes 1 + i/2 times as long as the first, which is best in the middle; intervals
    are 5% either way."""
    best = len(values) // 2
    cells = []
    for column in range(len(values)):
        times = {}
        for index, variant in enumerate(variants):
            wall = base * (1 + index / 2) * (1 + abs(column - best) / 10)
            times[variant] = {"wall_us": wall, "wall_low_us": 0.95 * wall,
                              "wall_high_us": 1.05 * wall}
        cells.append({"column": column, "row": 0, "status": "ok", "reason": "",
                      "workload": {"bytes": 2**20}, "winner": variants[0], "tied": [],
                      "visits": 5, "variants": times})
    optimum = {"best": best, "within": {"first": best - (best > 0), "last": best},
               "perhaps": {"first": 0, "last": best}, "further": ""}
    return synthetic.completed({"schema": "trilane-sweep", "schema_version": 3, "workload": "custom",
            "mode": "latency", "reference": "streams", "variants": list(variants),
            "tiers": ["same operations"] * len(variants), "letters": ["A"] * len(variants),
            "context": {"simulated": simulated, "started": "2001-02-03T04:05:06Z",
                        "gpu": {"name": "NVIDIA Example 100", "driver_version": "999.1"}},
            "columns": {"knob": knob, "unit": unit, "values": values}, "cells": cells,
            "borders": [], "merit": merit,
            "curves": {variant: {"optimum": dict(optimum), "words": ""} for variant in variants},
            "findings": ["same operations: streams with 16 chunks, 5500 us (graph and pool tie), "
                         "1.19 times as fast as another variant whose name is long"] * findings}, "sweep")


def gaps():
    found = made_up()
    found["cells"][2] = {"column": 2, "row": 0, "status": "not supported", "reason": "too large"}
    del found["cells"][5]["variants"]["graph"]
    del found["cells"][7], found["curves"]["fused"]["optimum"]
    return synthetic.completed(found, "sweep")


def cases():
    yield "standard", made_up()
    yield "two values", made_up(values=[3, 4])
    yield "one value", made_up(values=[3])
    yield "many values", made_up(values=list(range(1, 33)))
    yield "large values", made_up(values=[100, 10_000, 1_000_000])
    yield "sizes", made_up(values=[2**i for i in range(12, 24)], knob="chunk-size", unit="bytes")
    yield "times", made_up(values=[1.5, 15, 150, 1500], knob="kernel-time", unit="us")
    yield "one variant", made_up(["graph"])
    yield "all variants", made_up(list(looks.MODELS))
    yield "simulated", made_up(simulated=synthetic.PROFILE)
    yield "by the byte", made_up(merit=sweep_file.PER_BYTE)
    yield "long", made_up(base=1e9, findings=3)
    yield "gaps", gaps()
    nothing = made_up(["streams"])
    for cell in nothing["cells"]:
        cell.update(status="failed")
    yield "no times", nothing


def lines(axes, width):
    """Colour to the points of the lines of that width."""
    return {colors.to_hex(line.get_color()): [tuple(point) for point in line.get_xydata().tolist()]
            for line in axes.lines if line.get_linewidth() == width and len(line.get_xydata()) > 1}


def rings(axes):
    return {colors.to_hex(line.get_color()): tuple(line.get_xydata()[0].tolist())
            for line in axes.lines if line.get_markersize() == 10}


def colour(variant):
    return looks.LOOKS[looks.MODELS[variant]].colour


class Picture(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case, found in cases():
            with self.subTest(case=case):
                self.assertGreater(len(self.assert_legible(curves.draw(found))), 4)

    def test_a_curve_holds_the_medians_and_its_band_the_intervals(self):
        found = made_up()
        [axes] = curves.draw(found).axes
        drawn = lines(axes, 1.1)
        for variant in found["variants"]:
            self.assertEqual(drawn[colour(variant)],
                             [(CHUNKS[cell["column"]], cell["variants"][variant]["wall_us"])
                              for cell in found["cells"]])
        bands = {colors.to_hex(band.get_facecolor()[0]): band.get_paths()[0].vertices
                 for band in axes.collections}
        self.assertEqual(len(bands), 3)
        points = {tuple(point) for point in bands[colour("streams")].round(6).tolist()}
        for cell in found["cells"]:
            for key in ("wall_low_us", "wall_high_us"):
                self.assertIn((CHUNKS[cell["column"]],
                               round(cell["variants"]["streams"][key], 6)), points)

    def test_the_bands_say_over_how_many_processes_they_are(self):
        found = made_up()
        self.assertEqual(sweep_file.intervals(found), "95% intervals over 5 processes")
        found["cells"][3]["visits"] = 4
        self.assertEqual(sweep_file.intervals(found), "95% intervals over 4 to 5 processes")
        found["schema_version"] = 2  # visits were to one process
        self.assertEqual(sweep_file.intervals(found), "95% intervals in this process")
        for cell in found["cells"]:
            cell["visits"] = 1
        found["schema_version"] = 3
        self.assertEqual(sweep_file.intervals(found), "95% intervals in this process")

    def test_the_best_value_has_a_ring_and_what_is_as_good_a_thick_line(self):
        [axes] = curves.draw(made_up()).axes
        self.assertEqual(rings(axes)[colour("streams")], (16, 1000))
        self.assertEqual(rings(axes)[colour("graph")], (16, 1500))
        self.assertEqual(lines(axes, 3.2)[colour("streams")], [(8, 1100), (16, 1000)])

    def test_values_without_times_and_curves_without_a_best_value_are_left_out(self):
        [axes] = curves.draw(gaps()).axes
        drawn = lines(axes, 1.1)
        self.assertEqual([x for x, _ in drawn[colour("streams")]], [1, 2, 8, 16, 32, 64])
        self.assertEqual([x for x, _ in drawn[colour("graph")]], [1, 2, 8, 16, 64])
        self.assertEqual(set(rings(axes)), {colour("streams"), colour("graph")})

    def test_axes_have_names_and_values_with_units(self):
        found = made_up(values=[4096, 8192, 16384], knob="chunk-size", unit="bytes")
        [axes] = curves.draw(found).axes
        self.assertEqual(axes.get_xlabel(), "chunk size (bytes, log scale)")
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()],
                         ["4 KiB", "8 KiB", "16 KiB"])
        self.assertEqual(axes.get_ylabel(), "wall time (µs), log scale")
        self.assertIn("(s)", curves.draw(made_up(base=1e9)).axes[0].get_ylabel())

    def test_time_by_the_byte_is_drawn_per_mib(self):
        found = made_up(merit=sweep_file.PER_BYTE)
        for cell in found["cells"]:
            cell["workload"]["bytes"] = 4 * 2**20
        [axes] = curves.draw(found).axes
        self.assertEqual(axes.get_ylabel(), "wall time (µs per MiB of input), log scale")
        self.assertAlmostEqual(rings(axes)[colour("streams")][1], 250)


    def test_a_size_in_words(self):
        self.assertEqual([results.size_text(size) for size in (512, 4096, 3 << 20, 5 << 30)],
                         ["512 B", "4 KiB", "3 MiB", "5 GiB"])


class Script(ScriptTestCase):
    def test_the_picture_names_variants_machine_and_findings(self):
        self.assert_silent(self.draw("curves", made_up()))
        self.assertEqual(self.files(), {"curves.png", "curves.svg"})
        words = self.svg_texts("out/curves.svg")
        self.assertLess({"streams", "graph", "fused", "Wall time against chunks, custom",
                         "NVIDIA Example 100 · latency mode"}, set(words))
        self.assertTrue(any("16 chunks, 5500 µs" in line for line in words))
        self.assertIn("bands: 95% intervals over 5 processes", " ".join(words))

    def test_simulated_curves_are_called_so(self):
        self.assert_silent(self.draw("curves", made_up(simulated=synthetic.PROFILE)))
        words = self.svg_texts("out/curves.svg")
        self.assertIn("Wall time against chunks, custom, simulated", words)
        self.assertFalse(any("95%" in line for line in words))

    def test_same_curves_same_svg(self):
        self.assert_reproducible("curves", made_up())

    def test_wrong_files_end_with_2_and_one_line(self):
        self.assert_refuses("curves", wrong_files())


def wrong_files():
    yield None, "cannot be read"
    yield replaced(made_up(), ("rows",), made_up()["columns"]), "two knobs: draw it with regimes.py"
    for place, value, words in (
            (("cells",), [], "optimum.best should be the place of a value with times"),
            (("curves", "graph", "optimum", "within", "first"), 7, "within.last should be at least"),
            (("columns", "values", 3), 2, ".columns.values[3] should be above the one before"),
            (("cells", 1, "row"), 1, "cells[1].row"),
            (("cells", 1, "workload", "bytes"), "many", "cells[1].workload.bytes"),
            (("cells", 1, "variants", "graph", "wall_low_us"), None, "variants.graph.wall_low_us"),
            (("curves", "graph", "optimum", "best"), 8, "curves.graph.optimum.best"),
            (("curves", "graph", "optimum", "within"), 3, "curves.graph.optimum.within"),
            (("findings",), "none", ".findings")):
        yield replaced(made_up(), place, value), words
