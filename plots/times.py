"""Draws the wall times of passes: every sample, quartiles and mean."""

import picture  # first: reports a missing matplotlib
import command_line
import results as results_file
import scales

HINT = ("black line and number: mean · box: the middle half · dots: every {} · "
        "scales differ")
FAR_APART = 5  # largest over smallest time that needs a log scale


def draw(results):
    unit = results_file.unit(results)
    figure, panels = picture.panels(results, f"Wall time of one {unit}", HINT.format(unit),
                                    row_inches=0.24)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks)
    return figure


def draw_panel(axes, comparison, looks):
    timed = [m["samples"]["wall_us"] + [m["wall"]["mean"]]
             for m in comparison["measurements"] if m["status"] == "ok"]
    low = min(map(min, timed), default=0)
    high = max(map(max, timed), default=0)
    unit, scale = scales.time_unit(high)
    picture.rows(axes, comparison, looks, scale, draw_row)
    if not timed:
        return scales.without_scale(axes)
    if high > FAR_APART * low > 0:
        scales.logarithmic(axes, low / scale, high / scale)
        axes.set_xlabel(f"wall time ({unit}), log scale")
    else:
        scales.linear(axes, high / scale)
        axes.set_xlabel(f"wall time ({unit})")


def draw_row(axes, row, measurement, look, scale):
    wall = measurement["wall"]
    passes = [time / scale for time in measurement["samples"]["wall_us"]]
    # Steps of the golden ratio spread any number of dots evenly and reproducibly.
    heights = [row + 0.56 * (index * 0.618034 % 1 - 0.5) for index in range(len(passes))]
    # An image even in the SVG, where tens of thousands of dots would be slow to open.
    axes.scatter(passes, heights, s=2.5, color=look.colour, alpha=0.3, linewidths=0,
                 rasterized=True)
    axes.barh(row, (wall["q3"] - wall["q1"]) / scale, 0.66, left=wall["q1"] / scale,
              facecolor=look.colour, edgecolor=look.colour, linewidth=1)
    axes.plot([wall["mean"] / scale] * 2, [row - 0.4, row + 0.4], color="black", linewidth=1.3)
    picture.number(axes, row, scales.short(wall["mean"] / scale))


if __name__ == "__main__":
    command_line.main("times", __doc__, draw)
