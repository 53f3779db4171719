"""Draws the three clocks of a pass side by side: median submit, device and wall time."""

import picture  # first: reports a missing matplotlib
import bars
import command_line
from results import CLOCKS

HINT = ("medians of one pass; black line: quartiles · submit: the host's calls · device: between "
        "events around the pass · wall: until it is done")
THICKNESS = 0.27  # of a bar, in rows: three bars and a gap fill one
FILLS = {"submit": {"alpha": 1.0}, "device": {"fill": False, "hatch": "//////"},
         "wall": {"alpha": 0.35}}


def draw(results):
    figure, panels = picture.panels(results, "Submit, device and wall time", HINT,
                                    row_inches=0.4)
    for axes, comparison, looks in panels:
        summaries = [m[clock] for m in comparison["measurements"] if m["status"] == "ok"
                     for clock in CLOCKS]
        scale = bars.set_scale(axes, summaries, room=1.17)
        picture.rows(axes, comparison, looks, scale, draw_row)
    bars.key(figure, FILLS)
    return figure


def draw_row(axes, row, measurement, look, scale):
    for line, clock in enumerate(CLOCKS):
        bars.bar(axes, row + (line - 1) * THICKNESS, THICKNESS, measurement[clock], scale, look,
                 FILLS[clock])


if __name__ == "__main__":
    command_line.main("clocks", __doc__, draw)
