"""Draws wall time against the number of chunks, with the bound and the best number by the formula,
from results with several numbers of chunks (trilane --size --chunks)."""

import picture  # first: reports a missing matplotlib
import chunk_series
import columns
import command_line
import scales
from matplotlib import ticker

HINT = ("points: medians, with the middle half of the passes · black line: the time that copies, "
        "memsets and kernels need when they overlap chunk by chunk, at each run's own rates · "
        "ring: the lowest bound by the formula · scales differ")


def draw(results):
    series = chunk_series.all_series(results)
    # The first comparison of a series says which variants its panel shows.
    firsts = [comparisons[0] for comparisons in series]
    rows = max(len(comparison["measurements"]) for comparison in firsts)
    figure, panels = picture.panels({**results, "comparisons": firsts},
                                    "Wall time against the number of chunks", HINT,
                                    row_inches=max(0.24, 2.6 / rows), named_rows=False,
                                    shape=chunk_series.shape)
    for (axes, _, looks), comparisons in zip(panels, series):
        draw_panel(axes, comparisons, looks)
    return figure


def draw_panel(axes, comparisons, looks):
    lines = {}  # variant to its (chunks, wall)
    for comparison in comparisons:
        for measurement in comparison["measurements"]:
            if measurement["status"] == "ok":
                lines.setdefault(measurement["variant"], []).append(
                    (comparison["workload"]["chunks"], measurement["wall"]))
    bounds = [(comparison["workload"]["chunks"], comparison["limit"])
              for comparison in comparisons if "limit" in comparison]
    best = min((limit for _, limit in bounds if "best" in limit), default={},
               key=lambda limit: limit["bound_us"]).get("best")
    times = [wall["median"] for points in lines.values() for _, wall in points]
    times += [limit["bound_us"] for _, limit in bounds] + ([best["bound_us"]] if best else [])
    unit, scale = scales.time_unit(max(times, default=0))
    set_scales(axes, [comparison["workload"]["chunks"] for comparison in comparisons], best,
               [time / scale for time in times])
    axes.set_ylabel(f"wall time ({unit}), log scale")
    ends = []
    for variant, points in lines.items():
        look = looks[variant]
        chunks, walls = zip(*points)
        medians = [wall["median"] / scale for wall in walls]
        spread = [[(wall["median"] - wall["q1"]) / scale for wall in walls],
                  [(wall["q3"] - wall["median"]) / scale for wall in walls]]
        axes.errorbar(chunks, medians, spread, color=look.colour, marker=look.marker, markersize=5,
                      linewidth=1.1, elinewidth=1.1, alpha=0.85)
        ends.append(((chunks[-1], medians[-1]), variant, look.colour))
    if bounds:
        ends.append(draw_bound(axes, bounds, scale))
    if best:
        draw_best(axes, best, scale)
    name_lines(axes, ends)


def draw_bound(axes, bounds, scale):
    points = [(chunks, limit["bound_us"] / scale) for chunks, limit in bounds]
    axes.plot(*zip(*points), color="black", linewidth=1.8)
    axes.fill_between(*zip(*points), axes.get_ylim()[0], color="#e8e8e8", zorder=0)
    return points[-1], "bound", "black"


def draw_best(axes, best, scale):
    place = best["chunks"], best["bound_us"] / scale
    axes.plot(*place, marker="o", markersize=10, markerfacecolor="none", color="black")
    side = axes.transAxes.inverted().transform(axes.transData.transform(place))[0]
    align = "left" if side < 0.3 else "right" if side > 0.7 else "center"
    axes.annotate(f"best by the formula: {place[0]:,.0f}", place, (0, -9), ha=align, va="top",
                  textcoords="offset points", size=picture.NUMBER_SIZE)


def set_scales(axes, chunks, best, times):
    reach = [*chunks, best["chunks"]] if best else chunks
    axes.set_xscale("log", base=2)
    axes.set_xlim(min(reach) / 1.25, max(reach) * 1.25)
    ticks = chunks[::-(-len(chunks) // 8)]
    axes.set_xticks(ticks, [f"{number:,.0f}" for number in ticks])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("chunks, log scale")
    below = max(1.25, (max(times) / min(times)) ** 0.25)  # room for the label of the ring
    scales.logarithmic(axes, min(times) / below, max(times), axis="y")
    axes.grid(axis="both")


def name_lines(axes, ends):
    """Names lines in the order of their ends."""
    ends.sort(key=lambda end: -end[0][1])
    for height, (place, name, colour) in zip(columns.heights(len(ends)), ends):
        columns.connect(axes, place, height, colour)
        columns.name(axes, 1.04, height, name, color=colour, size=picture.NUMBER_SIZE + 0.5)


if __name__ == "__main__":
    command_line.main("bound", __doc__, draw)
