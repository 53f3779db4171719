"""Draws the wall time of a pass of each variant beside its device memory."""
import itertools
import statistics

import picture  # first: reports a missing matplotlib
import command_line
import results as results_file
import scales

HINT = ("means; from the least device memory up, which is how much less the driver has free "
        "while only that variant is set up · filled: no other variant is faster with as little memory · "
        "scales differ")


def draw(results):
    ordered = {**results, "comparisons": [
        {**c, "measurements": sorted(c["measurements"], key=_place)}
        for c in results["comparisons"]]}
    figure, panels = picture.panels(ordered, "Time against footprint", HINT, row_inches=0.24)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks)
    return figure


def memory(measurement):
    """The device memory of a variant in bytes; None if it has no figures."""
    sizes = measurement.get("price", {}).get("device_bytes")
    return statistics.median_low(sizes) if measurement["status"] == "ok" and sizes else None


def _place(measurement):
    """Rows from the top down: most memory first, the slowest of the same memory first, and at the
    foot those without figures."""
    size = memory(measurement)
    return (1, 0, 0) if size is None else (0, -size, -measurement["wall"]["mean"])


def leading(measurements):
    """The names of those that no other one beats in time without taking more memory."""
    sized = [(memory(m), m["wall"]["mean"], m["variant"]) for m in measurements
             if memory(m) is not None]
    return {variant for size, wall, variant in sized
            if not any(other <= size and time < wall for other, time, _ in sized)}


def draw_panel(axes, comparison, looks):
    rows = list(enumerate(comparison["measurements"]))
    walls = [m["wall"]["mean"] for _, m in rows if memory(m) is not None]
    unit, scale = scales.time_unit(max(walls, default=0))
    filled = leading(comparison["measurements"])
    for row, measurement in rows:
        if memory(measurement) is None:
            picture.say(axes, row, measurement)
            continue
        look = looks[measurement["variant"]]
        inside = look.colour if measurement["variant"] in filled else "white"
        axes.plot(measurement["wall"]["mean"] / scale, row, linestyle="none", markersize=6,
                  marker=look.marker, markeredgecolor=look.colour, markerfacecolor=inside,
                  markeredgewidth=1.1)
    draw_groups(axes, rows)
    if walls:
        # At least a factor of four: a shorter axis has few plain numbers for ticks.
        room = max(1.3, (4 * min(walls) / max(walls)) ** 0.5)
        scales.logarithmic(axes, min(walls) / scale, max(walls) / scale, room)
    else:
        scales.without_scale(axes)
    axes.set_xlabel(f"wall time ({unit}), log scale")


def draw_groups(axes, rows):
    """The memory, said once for all rows of the same, with a line before the next group."""
    for size, group in itertools.groupby(rows, key=lambda pair: memory(pair[1])):
        first = next(group)[0]
        if first:
            axes.axhline(first - 0.5, color="#999999", linewidth=0.6)
        if size is not None:
            picture.number(axes, first, results_file.size_text(size) if size else "none")


if __name__ == "__main__":
    command_line.main("footprint", __doc__, draw)
