"""Draws what each variant costs besides its passes: set-up by phase, the extra time of the first
pass, and tear-down, with the break-even."""
import statistics
import textwrap

import picture  # first: reports a missing matplotlib
import command_line
import ratios
import results as results_file
import scales
from matplotlib import patches

HINT = ("medians of repeated set-ups, in the order of the key; black line: quartiles of the set-up "
        "· number: set-up alone, then the break-even in passes against the reference, with {} "
        "· left out: set-ups within a quarter of the reference's · scales differ")
_ALIKE = 1.25  # set-up times differ from this ratio on
# The drawn parts: their look, which also distinguishes them without colour, and their phases.
PARTS = {
    "memory": ({"facecolor": "#0b4f79"}, ("allocation", "pool")),
    "streams and threads": ({"facecolor": "#c9d8e2", "hatch": "/////"}, ("streams", "other")),
    "graph": ({"facecolor": "#d98a1f"}, ("capture", "build", "instantiate", "upload")),
    "first pass": ({"facecolor": "white", "hatch": "||||||"}, ()),
    "tear-down": ({"facecolor": "#efefef"}, ()),
}
_EDGE = "#333333"


def draw(results):
    differing = {**results, "comparisons": [
        {**c, "measurements": [m for m in c["measurements"] if not alike(c, m)]}
        for c in results["comparisons"]]}
    hint = HINT.format(ratios.kind(results_file.simulated(results)))
    figure, panels = picture.panels(differing, "Set-up by phase", hint, row_inches=0.24,
                                    key_inches=0.26)
    for (axes, comparison, _), whole in zip(panels, results["comparisons"]):
        draw_panel(axes, comparison, [m["variant"] for m in whole["measurements"]
                                      if alike(whole, m)])
    keys = [patches.Patch(edgecolor=_EDGE, linewidth=0.6, label=part, **look)
            for part, (look, _) in PARTS.items()]
    width, height = figure.get_size_inches()
    figure.legend(handles=keys, loc="lower left", ncol=5, frameon=False, borderaxespad=0,
                  fontsize=picture.NUMBER_SIZE, bbox_to_anchor=(0.13 / width, 0.28 / height))
    return figure


def alike(comparison, measurement):
    """Returns true if a variant other than the reference takes about its time to set up."""
    reference = next((m for m in comparison["measurements"]
                      if m["variant"] == comparison["reference"]), None)
    if not (reference and priced(reference) and priced(measurement)) or measurement is reference:
        return False
    one, other = (statistics.median(m["price"]["setup_us"]) for m in (reference, measurement))
    return max(one, other) < _ALIKE * min(one, other)


def draw_panel(axes, comparison, left_out):
    totals = [sum(us for _, us in costs(m["price"]))
              for m in comparison["measurements"] if priced(m)]
    unit, scale = scales.time_unit(max(totals, default=0))
    for row, measurement in enumerate(comparison["measurements"]):
        if priced(measurement):
            draw_row(axes, row, measurement, scale)
            reference = measurement["variant"] == comparison["reference"]
            words = "reference" if reference else _break_even(measurement.get("break_even"))
            setup = statistics.median(measurement["price"]["setup_us"]) / scale
            picture.number(axes, row, " · ".join(filter(None, (scales.short(setup), words))))
        else:
            picture.say(axes, row, measurement)
    if not totals:
        scales.without_scale(axes)
    else:
        scales.linear(axes, max(totals) / scale)
    same = f"as {comparison['reference']}: {', '.join(left_out)}" if left_out else ""
    axes.set_xlabel("\n".join([f"time ({unit})", *textwrap.wrap(same, 70)]))


def priced(measurement):
    return measurement["status"] == "ok" and bool(measurement.get("price", {}).get("setup_us"))


def costs(price):
    """Pairs of part and median time, in drawing order. Unknown phases count with streams. A first
    pass that is faster than later ones costs nothing."""
    part_of = {phase: part for part, (_, phases) in PARTS.items() for phase in phases}
    times = dict.fromkeys(PARTS, 0.0)
    for phase, values in price["phases"].items():
        times[part_of.get(phase, part_of["other"])] += statistics.median(values)
    first, last = (statistics.median(price["passes_us"][place]) for place in (0, -1))
    times["first pass"] = max(first - last, 0)
    times["tear-down"] = statistics.median(price["teardown_us"])
    return [(part, us) for part, us in times.items() if us > 0]


def pays(break_even):
    """As in the terminal: "3.1 [2.9, 12]", "first 30 [20, always]", "at once", "never"; empty if
    unknown."""
    if not break_even:
        return ""
    kind = break_even["pays"]
    low, middle, high = (count(break_even[key]) if key in break_even
                         else "always" if kind == "at first" else "never"
                         for key in ("low", "passes", "high"))
    words = {"at once": kind, "never": kind, "at first": f"first {middle}"}.get(kind, middle)
    return words if words == kind and low == middle == high else f"{words} [{low}, {high}]"


def _break_even(break_even):
    """With a word for the number, because pictures have no column heading."""
    later = (break_even or {}).get("pays") == "later"
    return "after " * later + pays(break_even)


def count(passes):
    if passes < 0.05:
        return "<0.1" if passes else "0"
    return f"{passes:.1f}" if passes < 9.95 else f"{passes:,.0f}"


def draw_row(axes, row, measurement, scale):
    left = 0
    for part, us in costs(measurement["price"]):
        axes.barh(row, us / scale, 0.7, left=left, edgecolor=_EDGE, linewidth=0.6,
                  **PARTS[part][0])
        left += us / scale
    setups = measurement["price"]["setup_us"]
    if len(setups) > 1:
        q1, _, q3 = statistics.quantiles(setups, n=4, method="inclusive")
        axes.plot([q1 / scale, q3 / scale], [row, row], color="black", linewidth=1.3)


if __name__ == "__main__":
    command_line.main("setup", __doc__, draw)
