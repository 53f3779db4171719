"""Draws the wall time of a pass against the device memory of each variant."""
import statistics

import picture  # first: reports a missing matplotlib
import columns
import command_line
import results as results_file
import scales
from matplotlib import ticker

HINT = ("medians; further left: faster · further down: less device memory, which is how much less "
        "the driver has free while only that variant is set up · scales differ")
_KIB = 1024


def draw(results):
    figure, panels = picture.panels(results, "Time against footprint", HINT, row_inches=0.24,
                                    named_rows=False)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks)
    return figure


def draw_panel(axes, comparison, looks):
    points, missing = [], []
    for measurement in comparison["measurements"]:
        sizes = measurement.get("price", {}).get("device_bytes")
        if measurement["status"] == "ok" and sizes:
            points.append((statistics.median_low(sizes), measurement))
        else:
            missing.append(measurement)
    walls = [m["wall"]["median"] for _, m in points]
    unit, scale = scales.time_unit(max(walls, default=0))
    floor = memory_scale(axes, [size for size, _ in points])
    if points:
        # At least a factor of four: a shorter axis has few plain numbers for ticks.
        room = max(1.3, (4 * min(walls) / max(walls)) ** 0.5)
        scales.logarithmic(axes, min(walls) / scale, max(walls) / scale, room)
    else:
        scales.without_scale(axes)
    axes.set_xlabel(f"wall time ({unit}), log scale")
    points.sort(key=lambda point: (-point[0], -point[1]["wall"]["median"]))
    heights = columns.heights(len(points) + len(missing))
    for height, (size, measurement) in zip(heights, points):
        place = measurement["wall"]["median"] / scale, max(size, floor)
        draw_point(axes, place, height, measurement["variant"], looks[measurement["variant"]])
    for height, measurement in zip(heights[len(points):], missing):
        columns.name(axes, 1.08, height, measurement["variant"])
        axes.text(0.98, height, picture.why_missing(measurement), transform=axes.transAxes,
                  ha="right", va="center", style="italic", size=picture.NUMBER_SIZE,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})


def draw_point(axes, place, height, variant, look):
    axes.plot(*place, linestyle="none", marker=look.marker, markersize=6, color=look.colour,
              alpha=0.8, clip_on=False)
    columns.connect(axes, place, height, look.colour)
    axes.plot(1.05, height, linestyle="none", marker=look.marker, markersize=5, color=look.colour,
              transform=axes.transAxes, clip_on=False)
    columns.name(axes, 1.08, height, variant)


def memory_scale(axes, sizes):
    """Sets a log scale of bytes with a place for no memory at the bottom; returns that place."""
    above = [size for size in sizes if size > 0] or [_KIB]
    low, high = min(above), max(above)
    floor = low / 4 if 0 in sizes else low
    axes.set_yscale("log", base=2)
    axes.set_ylim(floor / 1.6, high * 1.6)
    powers = [2**power for power in range(0, 60) if low <= 2**power <= high * 1.01]
    step = -(-len(powers) // 5) or 1
    ticks = powers[::-1][::step] or [low]
    labels = [results_file.size_text(tick) for tick in ticks]
    if 0 in sizes:
        ticks, labels = [*ticks, floor], [*labels, "none"]
    axes.set_yticks(ticks, labels)
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(axis="y")
    return floor


if __name__ == "__main__":
    command_line.main("footprint", __doc__, draw)
