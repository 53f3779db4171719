"""Tests of the picture of a map of regimes, on made-up maps. Needs matplotlib, no GPU."""
import itertools

import synthetic
from matplotlib import colors, patches
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import looks
import regime_cells
import regime_map
import regimes

VARIANTS = ["streams", "graph", "pool", "graph_kernels", "graph_fused", "engines"]
LETTERS = ["S", "G", "P", "K", "F", "E"]
TIERS = ["same operations"] * 3 + ["rewritten"] * 2 + ["same operations"]
KNOBS = {"chunk-size": ("bytes", lambda i: 4096 * 2**i), "chunks": ("", lambda i: 2 + 3 * i),
         "kernel-time": ("us", lambda i: 1.25 * 2**i)}


def axis(knob, count):
    unit, value = KNOBS[knob]
    return {"knob": knob, "unit": unit, "values": [value(i) for i in range(count)]}


def made_up(columns=12, rows=12, knobs=("chunk-size", "chunks"), simulated="", borders=2):
    """A map in which every variant wins somewhere, some cells tie, and one gain is large."""
    cells = []
    for column, row in itertools.product(range(columns), range(rows)):
        number = (column // 2 + row // 2) % len(VARIANTS)
        winner, second = VARIANTS[number], VARIANTS[number - 1]
        gain = 1.003 if (column + row) % 5 == 0 else 1.05 + column * row / 40
        cells.append({"column": column, "row": row, "status": "ok", "reason": "",
                      "winner": winner, "tied": [second] if gain < 1.01 else [],
                      "runner_up": second, "variants": {}, "workload": {"bytes": 4096},
                      "visits": 5,
                      "over_runner_up": {"estimate": gain, "low": gain, "high": gain}})
    cells[-1]["over_runner_up"] = {"estimate": 123.4, "low": 123, "high": 124}
    return synthetic.completed({"schema": "trilane-sweep", "schema_version": 3, "workload": "custom",
            "mode": "latency", "reference": "streams", "variants": VARIANTS, "letters": LETTERS,
            "tiers": TIERS, "merit": "none", "curves": {}, "findings": [],
            "context": {"simulated": simulated, "started": "2001-02-03T04:05:06Z",
                        "gpu": {"name": "NVIDIA Example 100", "driver_version": "999.1"}},
            "columns": axis(knobs[0], columns), "rows": axis(knobs[1], rows), "cells": cells,
            "borders": [{"words": "chunks up to 8: chunk size up to 64 KiB, graph_fused (1.20 to "
                                  "2.40 times as fast as streams; graph_kernels ties); from 128 "
                                  "KiB on, graph"}] * borders}, "sweep")


def cases():
    yield "standard", made_up()
    yield "one cell", made_up(1, 1, borders=0)
    yield "one row", made_up(9, 1)
    yield "one column", made_up(1, 9)
    yield "wide", made_up(32, 2, ("chunks", "chunks"))
    yield "tall", made_up(2, 32, ("chunks", "chunks"), borders=12)
    yield "simulated", made_up(simulated=synthetic.PROFILE)
    yield "times", made_up(20, 5, ("kernel-time", "chunks"))
    yield "sizes", made_up(18, 4, ("chunk-size", "kernel-time"))
    gaps = made_up(6, 6)
    for index, status in ((0, "not supported"), (7, "failed"), (14, "not run")):
        gaps["cells"][index] = {"column": index // 6, "row": index % 6, "status": status,
                                "reason": "too large: $x_1$"}
    del gaps["cells"][20:25]
    yield "gaps", synthetic.completed(gaps, "sweep")


def squares(figure):
    """The patch of every cell, by its column and row."""
    return {(round(patch.get_x() + 0.5), round(patch.get_y() + 0.5)): patch
            for patch in figure.axes[0].patches if isinstance(patch, patches.Rectangle)}


def words_at(figure):
    """The texts in every cell, by its column and row."""
    found = {}
    for note in figure.axes[0].texts:
        found.setdefault(tuple(note.xy), []).append(note)
    return found


class Regimes(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case, found in cases():
            with self.subTest(case=case):
                self.assertGreater(len(self.assert_legible(regimes.draw(found))), 6)

    def test_every_cell_shows_winner_gain_and_tie_in_its_place(self):
        found = made_up()
        figure = regimes.draw(found)
        drawn, words = squares(figure), words_at(figure)
        styles = looks.choose(VARIANTS)
        for cell in found["cells"]:
            place = (cell["column"], cell["row"])
            said = {note.get_text() for note in words[place]}
            self.assertEqual(said, {LETTERS[VARIANTS.index(cell["winner"])],
                                    regime_cells.times(regime_map.gain(cell))})
            self.assertEqual(bool(drawn[place].get_hatch()), bool(cell["tied"]))
            shade = regime_cells.shade(styles[cell["winner"]].colour, regime_map.gain(cell))
            self.assertEqual(colors.to_hex(drawn[place].get_facecolor()), shade)

    def test_the_words_in_a_cell_stand_out_from_it(self):
        figure = regimes.draw(made_up())
        drawn = squares(figure)
        for place, notes in words_at(figure).items():
            for note in notes:
                self.assertGreater(contrast(note.get_color(), drawn[place].get_facecolor()), 4.5)

    def test_the_paler_the_smaller_the_gain(self):
        lights = [luminance(regime_cells.shade("#0072b2", gain)) for gain in (1, 1.1, 1.5, 2, 9)]
        self.assertEqual(lights, sorted(lights, reverse=True))
        self.assertEqual(lights[-1], lights[-2])

    def test_cells_without_a_winner_say_why(self):
        found = dict(cases())["gaps"]
        figure = regimes.draw(found)
        words = {place: [note.get_text() for note in notes]
                 for place, notes in words_at(figure).items()}
        self.assertEqual([words[place] for place in ((0, 0), (1, 1), (2, 2), (3, 3))],
                         [["–"], ["!"], ["·"], ["·"]])
        keys = [label.get_text() for label in figure.legends[-1].get_texts()]
        self.assertEqual(keys, ["–  not supported", "!  failed", "·  not run"])

    def test_tiers_have_their_legends_and_lines_between_them(self):
        found = made_up(2, 2)
        for cell, winner in zip(found["cells"], ("streams", "graph", "graph_fused", "engines")):
            cell["winner"] = winner
        figure = regimes.draw(found)
        self.assertEqual([[label.get_text() for label in legend.get_texts()]
                          for legend in figure.legends],
                         [["S  streams", "G  graph", "E  engines"], ["F  graph_fused"]])
        said = [words.get_text() for words in figure.texts if words.get_style() == "italic"]
        self.assertEqual(said, ["same operations", "rewritten"])
        lines = {tuple(map(tuple, line.get_xydata())) for line in figure.axes[0].lines
                 if line.get_color() == "black"}
        self.assertEqual(lines, {((0.5, -0.5), (0.5, 0.5)), ((0.5, 0.5), (1.5, 0.5))})

    def test_a_variant_has_the_tier_that_the_file_states(self):
        found = made_up(2, 2)
        found["tiers"] = ["moved together"] * len(VARIANTS)
        said = [words.get_text() for words in regimes.draw(found).texts
                if words.get_style() == "italic"]
        self.assertEqual(said, ["moved together"])

    def test_axes_have_names_and_values_with_units(self):
        axes = regimes.draw(made_up(5, 3, ("chunk-size", "kernel-time"))).axes[0]
        self.assertEqual(axes.get_xlabel(), "chunk size (bytes)")
        self.assertEqual(axes.get_ylabel(), "kernel time (time of one kernel)")
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()],
                         ["4 KiB", "8 KiB", "16 KiB", "32 KiB", "64 KiB"])
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         ["1.25 µs", "2.5 µs", "5 µs"])


class Script(ScriptTestCase):
    def words(self):
        return self.svg_texts("out/regimes.svg")

    def test_pictures_are_written_and_name_machine_and_date(self):
        self.assert_silent(self.draw("regimes", made_up(3, 3)))
        self.assertEqual(self.files(), {"regimes.png", "regimes.svg"})
        self.assertIn("NVIDIA Example 100 · latency mode", self.words())
        self.assertTrue(any(line.startswith("2001-02-03 04:05 UTC") for line in self.words()))
        self.assertFalse(any("simulated" in line for line in self.words()))

    def test_a_simulated_map_is_called_so(self):
        self.assert_silent(self.draw("regimes", made_up(3, 3, simulated=synthetic.PROFILE)))
        self.assertIn("Which variant wins where, custom, simulated", self.words())
        self.assertIn(f"simulated, {synthetic.PROFILE} · latency mode", self.words())

    def test_same_map_same_svg(self):
        self.assert_reproducible("regimes", made_up(3, 3))

    def test_wrong_files_end_with_2_and_one_line(self):
        self.assert_refuses("regimes", wrong_files())

    def test_a_folder_that_cannot_be_made_ends_with_5(self):
        done = self.draw("regimes", made_up(2, 2), out="input.json/out")
        self.assert_fails(done, 5, "'input.json/out' cannot be written")


def wrong_files():
    yield None, "cannot be read"
    yield "not JSON", "is not JSON"
    yield '{"schema": "trilane-results"}', 'should be "trilane-sweep"'
    for place, value, words in (
            (("schema_version",), 1, "schema version 1"),
            (("tiers",), ["rewritten"], ".tiers should be a list of 6, as .variants,"),
            (("cells",), [], "holds no cell"),
            (("columns", "values"), None, ".columns.values"),
            (("cells", 1, "column"), 9, "cells[1].column"),
            (("cells", 1, "winner"), "nobody", "cells[1].winner"),
            (("cells", 1, "tied"), None, "cells[1].tied"),
            (("cells", 1, "over_runner_up", "estimate"), "2", "over_runner_up.estimate")):
        yield replaced(made_up(2, 2), place, value), words
    curve = made_up(2, 1)
    del curve["rows"]
    yield curve, "one knob: draw it with curves.py"


def luminance(colour):
    lights = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
              for channel in colors.to_rgb(colour)]
    return 0.2126 * lights[0] + 0.7152 * lights[1] + 0.0722 * lights[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
