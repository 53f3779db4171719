"""Draws the three clocks of one pass side by side: submit, device and wall, as medians."""

import picture  # first: it says what is missing where there is no matplotlib
import command_line
import scales
from matplotlib import patches
from results import CLOCKS

HINT = ("medians of one pass; black line: quartiles · submit: the host's calls · device: between "
        "events around the pass · wall: until it is done")
THICKNESS = 0.27  # of a bar, in rows: three and a gap make one
FILLS = {"submit": {"alpha": 1.0}, "device": {"fill": False, "hatch": "//////"},
         "wall": {"alpha": 0.35}}


def draw(results):
    figure, panels = picture.panels(results, "Submit, device and wall time", HINT,
                                    row_inches=0.4)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks)
    keys = [patches.Patch(edgecolor="#333333", facecolor="#333333", linewidth=0.6,
                          label=clock, **FILLS[clock]) for clock in CLOCKS]
    figure.legend(handles=keys, loc="upper right", ncol=len(keys), frameon=False,
                  bbox_to_anchor=(1, 1 - 0.04 / figure.get_figheight()), borderaxespad=0.2)
    return figure


def draw_panel(axes, comparison, looks):
    timed = [measurement for measurement in comparison["measurements"]
             if measurement["status"] == "ok"]
    high = max((m[clock][key] for m in timed for clock in CLOCKS for key in ("median", "q3")),
               default=0)
    unit, scale = scales.time_unit(high)
    picture.rows(axes, comparison, looks, scale, draw_row)
    if not timed:
        return scales.without_scale(axes)
    scales.linear(axes, high / scale, room=1.17)  # for the number beside the longest bar
    axes.set_xlabel(f"time ({unit})")


def draw_row(axes, row, measurement, look, scale):
    for line, clock in enumerate(CLOCKS):
        y = row + (line - 1) * THICKNESS
        median, q1, q3 = (measurement[clock][key] / scale for key in ("median", "q1", "q3"))
        axes.barh(y, median, THICKNESS * 0.86, facecolor=look.colour, edgecolor=look.colour,
                  linewidth=0.6, **FILLS[clock])
        axes.plot([q1, q3], [y, y], color="black", linewidth=1)
        axes.annotate(scales.short(median), (max(median, q3), y), (3, 0), va="center",
                      textcoords="offset points", size=picture.NUMBER_SIZE - 0.5)


if __name__ == "__main__":
    command_line.main("clocks", __doc__, draw)
