"""Draws what each variant costs besides its passes: set-up by phase, the extra time of the first
pass, and tear-down, with the break-even."""
import statistics

import picture  # first: reports a missing matplotlib
import command_line
import scales
from matplotlib import patches

HINT = ("medians of repeated set-ups, in the order of the key; black line: quartiles of the set-up "
        "· number: set-up alone, then the break-even in passes against the reference, with 95% "
        "interval · scales differ")
_FILLS = {  # by phase, in drawing order; hatches serve readers without colour
    "allocation": {"alpha": 1.0}, "streams": {"alpha": 0.35}, "pool": {"hatch": "oooo"},
    "capture": {"hatch": "//////"}, "build": {"hatch": "//////"},
    "instantiate": {"hatch": "xxxxxx"}, "upload": {"hatch": "------"}, "other": {},
    "pool priming": {"hatch": "...."}, "first launch": {"hatch": "||||||"},
    "tear-down": {"hatch": "\\\\\\\\"},
}
_TEXTS = {"build": None, "capture": "capture or build", "first launch": "first pass"}


def draw(results):
    figure, panels = picture.panels(results, "Set-up by phase", HINT, row_inches=0.24,
                                    key_inches=0.42)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks)
    keys = [patches.Patch(edgecolor="#333333", linewidth=0.6, label=_TEXTS.get(phase, phase),
                          **style("#333333", phase))
            for phase in _FILLS if _TEXTS.get(phase, phase)]
    width, height = figure.get_size_inches()
    figure.legend(handles=keys, loc="lower left", ncol=5, frameon=False, borderaxespad=0,
                  fontsize=picture.NUMBER_SIZE, bbox_to_anchor=(0.13 / width, 0.28 / height))
    return figure


def style(colour, phase):
    fill = _FILLS[phase]
    return {"facecolor": colour if "alpha" in fill else "white", **fill}


def draw_panel(axes, comparison, looks):
    totals = [sum(us for _, us in costs(m["price"]))
              for m in comparison["measurements"] if priced(m)]
    unit, scale = scales.time_unit(max(totals, default=0))
    for row, measurement in enumerate(comparison["measurements"]):
        if priced(measurement):
            draw_row(axes, row, measurement, looks[measurement["variant"]], scale)
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
    axes.set_xlabel(f"time ({unit})")


def priced(measurement):
    return measurement["status"] == "ok" and bool(measurement.get("price", {}).get("setup_us"))


def costs(price):
    """Pairs of phase and median time, in the order of _FILLS. Unknown phases count as other. A
    first pass that is faster than later ones costs nothing."""
    times = dict.fromkeys(_FILLS, 0.0)
    for phase, values in price["phases"].items():
        times[phase if phase in times else "other"] += statistics.median(values)
    first = (statistics.median(price["passes_us"][0])
             - statistics.median(price["passes_us"][-1]))
    priming = statistics.median(price["priming_us"]) if price["priming_us"] else 0
    times["pool priming"] = min(max(priming, 0), max(first, 0))
    times["first launch"] = max(first, 0) - times["pool priming"]
    times["tear-down"] = statistics.median(price["teardown_us"])
    return [(phase, us) for phase, us in times.items() if us > 0]


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


def draw_row(axes, row, measurement, look, scale):
    left = 0
    for phase, us in costs(measurement["price"]):
        axes.barh(row, us / scale, 0.7, left=left, edgecolor=look.colour, linewidth=0.6,
                  **style(look.colour, phase))
        left += us / scale
    setups = measurement["price"]["setup_us"]
    if len(setups) > 1:
        q1, _, q3 = statistics.quantiles(setups, n=4, method="inclusive")
        axes.plot([q1 / scale, q3 / scale], [row, row], color="black", linewidth=1.3)


if __name__ == "__main__":
    command_line.main("setup", __doc__, draw)
