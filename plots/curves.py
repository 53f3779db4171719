"""Draws a sweep over one knob: a curve of every variant, its best value and how flat it is there."""
import textwrap

import picture  # first: reports a missing matplotlib
import columns
import command_line
import looks
import regime_map
import results as results_file
import scales
import sweep_file
from matplotlib import ticker

HINT = ("points: means · bands: {} · ring: a variant's best value · thick line: the values around "
        "it that take at most 2% longer, intervals included")
SIMULATED = "none, the model's error is extra"
GREY = "#555555"
WIDTH, HEAD, LINE = 8.2, 0.78, 0.15  # inches
PER_MIB = 1024 * 1024


def draw(found):
    simulated = bool(results_file.simulated(found))
    bands = SIMULATED if simulated else sweep_file.intervals(found)
    hint = textwrap.wrap(HINT.format(bands), int(14.5 * WIDTH))
    words = [line for finding in found["findings"]
             for line in textwrap.wrap(finding.replace(" us", " µs"), int(14.5 * WIDTH),
                                       initial_indent="• ", subsequent_indent="  ")]
    foot = 0.62 + 0.36 + LINE * len(words)
    head = HEAD + LINE * len(hint)
    high = max(3.4, 0.19 * len(found["variants"]))
    height = head + high + foot
    figure = picture.blank(WIDTH, height)
    axes = figure.add_axes((0.75 / WIDTH, foot / height, 5.9 / WIDTH, high / height))
    heading = f"Wall time against {found['columns']['knob'].replace('-', ' ')}, {found['workload']}"
    picture.note(figure, heading + ", simulated" * simulated, 0.12, size=13,
                 weight="bold")
    picture.note(figure, regime_map.machine(found), 0.4, size=9.5)
    picture.note(figure, "\n".join(hint), 0.64, color=GREY)
    picture.note(figure, "\n".join(words), height - LINE * len(words) - 0.36)
    picture.note(figure, results_file.origin(found), height - 0.22, color=GREY)
    draw_curves(axes, found)
    return figure


def draw_curves(axes, found):
    styles = looks.choose(found["variants"])
    curves = {variant: points for variant in found["variants"]
              if (points := sweep_file.curve(found, variant))}
    times = [time for points in curves.values() for point in points.values() for time in point]
    if not times:
        return scales.without_scale(axes)
    per_byte = found["merit"] == sweep_file.PER_BYTE
    unit, scale = ("µs", 1 / PER_MIB) if per_byte else scales.time_unit(max(times))
    set_scales(axes, found["columns"], [time / scale for time in times])
    axes.set_ylabel(f"wall time ({unit}{' per MiB of input' * per_byte}), log scale")
    ends = []
    for variant, points in curves.items():
        look, optimum = styles[variant], found["curves"].get(variant, {}).get("optimum")
        draw_curve(axes, found["columns"]["values"],
                   {at: [time / scale for time in point] for at, point in points.items()},
                   look, optimum)
        last = max(points)
        ends.append(((found["columns"]["values"][last], points[last][0] / scale), variant,
                     look.colour))
    ends.sort(key=lambda end: -end[0][1])
    for height, (place, name, colour) in zip(columns.heights(len(ends)), ends):
        columns.connect(axes, place, height, colour)
        columns.name(axes, 1.045, height, name, color=colour, size=picture.NUMBER_SIZE + 0.5)
        axes.plot(1.03, height, transform=axes.transAxes, clip_on=False, color=colour,
                  marker=styles[name].marker, markersize=4.5, linestyle="none")


def draw_curve(axes, values, points, look, optimum):
    """`points` has mean, low and high by the position of the value."""
    x = [values[at] for at in points]
    means, lows, highs = zip(*points.values())
    axes.fill_between(x, lows, highs, color=look.colour, alpha=0.25, linewidth=0)
    axes.plot(x, means, color=look.colour, marker=look.marker, markersize=4.5, linewidth=1.1,
              alpha=0.9)
    if optimum:
        within = optimum["within"]
        flat = [at for at in points if within["first"] <= at <= within["last"]]
        axes.plot([values[at] for at in flat], [points[at][0] for at in flat], color=look.colour,
                  linewidth=3.2, alpha=0.5, solid_capstyle="round")
        axes.plot(values[optimum["best"]], points[optimum["best"]][0], marker="o", markersize=10,
                  markerfacecolor="none", color=look.colour, linestyle="none")


def set_scales(axes, axis, times):
    values = axis["values"]
    axes.set_xscale("log", base=2)
    axes.set_xlim(values[0] / 1.25, values[-1] * 1.25)
    ticks = values[::-(-len(values) // 8)]
    axes.set_xticks(ticks, [regime_map.value(axis, number) for number in ticks])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel(regime_map.caption(axis).replace(")", ", log scale)"))
    scales.logarithmic(axes, min(times), max(times), axis="y")
    axes.tick_params(labelsize=picture.NUMBER_SIZE)
    axes.grid(axis="both")


if __name__ == "__main__":
    command_line.main("curves", __doc__, draw, sweep_file.load_curves, "SWEEP.json",
                      "trilane sweep over one knob with --json")
