"""Draws how much of the wall time of a pass the host spends submitting it."""

import picture  # first: reports a missing matplotlib
import command_line
import results as results_file
import scales
from matplotlib import patches

HINT = ("means of one {0} · bar: wall time; filled: the host's calls that submit the {0}{1}; "
        "black line: quartiles · number: wall time, and the share of it that submitting takes · "
        "tick: time between events around the {0}, where it is at least 5% shorter")
_APART = 0.05  # of the wall time
_PALE = 0.3


def draw(results):
    unit, waits = results_file.unit(results), results_file.all_replayed(results)
    figure, panels = picture.panels(
        results, f"What the host spends of a{'n' * (unit == 'iteration')} {unit}",
        HINT.format(unit, ", without its waits" * waits), row_inches=0.24)
    for axes, comparison, looks in panels:
        walls = [m["wall"] for m in comparison["measurements"] if m["status"] == "ok"]
        high = max((wall[key] for wall in walls for key in ("mean", "q3")), default=0)
        unit, scale = scales.time_unit(high)
        picture.rows(axes, comparison, looks, scale, draw_row)
        if walls:
            scales.linear(axes, high / scale)
            axes.set_xlabel(f"time ({unit})")
        else:
            scales.without_scale(axes)
    width, height = figure.get_size_inches()
    keys = [patches.Patch(facecolor="#333333", edgecolor="#333333", linewidth=0.6, label=label,
                          alpha=alpha) for label, alpha in (("submitting", 1), ("the rest", _PALE))]
    figure.legend(handles=keys, loc="upper right", ncol=2, frameon=False, borderaxespad=0.2,
                  bbox_to_anchor=(1, 1 - 0.04 / height))
    return figure


def draw_row(axes, row, measurement, look, scale):
    wall, submit, device = (measurement[clock]["mean"] for clock in ("wall", "submit", "device"))
    axes.barh(row, wall / scale, 0.7, facecolor=look.colour, edgecolor=look.colour,
              linewidth=0, alpha=_PALE)
    axes.barh(row, min(submit, wall) / scale, 0.7, facecolor=look.colour, edgecolor=look.colour,
              linewidth=0.6)
    axes.plot([measurement["wall"][key] / scale for key in ("q1", "q3")], [row, row], color="black",
              linewidth=1)
    if device < (1 - _APART) * wall:
        axes.plot([device / scale] * 2, [row - 0.35, row + 0.35], color="black", linewidth=1.3)
    # In throughput mode a batch can keep the host busy for longer than its passes take.
    share = f" · {min(submit / wall, 1):.0%}" if wall > 0 else ""
    picture.number(axes, row, scales.short(wall / scale) + share)


if __name__ == "__main__":
    command_line.main("clocks", __doc__, draw)
