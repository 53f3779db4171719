"""Draws how the speed of each variant changed between two runs, with its interval and verdict."""
from pathlib import Path

import picture  # first: reports a missing matplotlib
import command_line
import input_file
import scales
from matplotlib import patches
from results_check import CONTEXT, RATIO, WORKLOAD
from rules import unlike
from schema import NAME, TEXT, list_of, members, number, one_of

# Okabe and Ito's colours. For readers without colour, markers point to the faster or slower side.
LOOKS = {"FASTER": ("#009e73", ">"), "SLOWER": ("#d55e00", "<"), "SAME": ("#0072b2", "o"),
         "UNSURE": ("#777777", "D")}
_WITHOUT_TIMES = {"LOST": "LOST", "-": "no times in old"}

HINT = ("speed over old, by wall time · box: interval of the samples; line: with the allowance for "
        "processes · right: faster · grey band: no difference that matters · hollow: UNSURE")


_RUN = members({"file": TEXT, "context": CONTEXT})
_RATIOS = members({"measured": RATIO, "ratio": RATIO})
_MEASUREMENT = members(
    {"variant": NAME, "verdict": one_of(*LOOKS, *_WITHOUT_TIMES), "message": TEXT},
    which=lambda measurement: _RATIOS if measurement["verdict"] in LOOKS else None)
_KIND = input_file.Kind(
    "trilane-comparison", (1,), "comparison", "trilane compare with --json",
    members({"old": _RUN, "new": _RUN, "same_within": number(0, 1000),
             "comparisons": list_of(members(
                 {"workload": WORKLOAD, "mode": NAME, "measurements": list_of(
                     _MEASUREMENT, rules=[unlike("variant", lambda m: m["variant"])])}))}))


def load(path):
    """The comparison in the file at `path`, checked; raises InputError."""
    found = input_file.load(path, _KIND)
    if not any(comparison["measurements"] for comparison in found["comparisons"]):
        raise input_file.InputError(f"{str(path)!r} holds no variant, so there is nothing to draw: "
                                    "compare two runs that share one")
    return found


def draw(found):
    runs = [f"{which}: {Path(found[which]['file']).name}, {source(found[which]['context'])}"
            for which in ("old", "new")]
    results = {"context": found["new"]["context"],
               "comparisons": [c for c in found["comparisons"] if c["measurements"]]}
    figure, panels = picture.panels(results, "New beside old", " · ".join([*runs, HINT]),
                                    row_inches=0.24)
    for axes, comparison, _ in panels:
        draw_panel(axes, comparison, found["same_within"])
    return figure


def source(context):
    """"NVIDIA H200, driver 580.159, revision 0123456789ab": where the times of a run come from."""
    gpu = context["gpu"]
    driver, revision = gpu.get("driver_version"), context.get("git_revision")
    parts = [f"simulated {context['simulated']}" if context["simulated"]
             else gpu.get("name") or "unnamed GPU",
             driver and f"driver {driver}", revision and f"revision {revision}"]
    return ", ".join(part for part in parts if part)


def draw_panel(axes, comparison, same_within):
    axes.axvspan(1 / (1 + same_within), 1 + same_within, color="#ececec", linewidth=0, zorder=0)
    axes.axvline(1, color="black", linewidth=0.8, zorder=1)
    edges = [0.9, 1.1]  # so that a difference of a percent does not fill the panel
    for row, measurement in enumerate(comparison["measurements"]):
        if measurement["verdict"] in LOOKS:
            edges += draw_row(axes, row, measurement)
        else:
            picture.say(axes, row, {"status": _WITHOUT_TIMES[measurement["verdict"]],
                                    "message": measurement["message"]})
    scales.logarithmic(axes, min(edges), max(edges))
    axes.set_xlabel("speed, new over old (×), log scale")


def draw_row(axes, row, measurement):
    """Ratios are new time over old time, so speed is their inverse."""
    verdict, ratio, measured = (measurement[key] for key in ("verdict", "ratio", "measured"))
    colour, marker = LOOKS[verdict]
    speed = 1 / ratio["estimate"]
    edges = [speed]
    if min(ratio["low"], measured["low"]) > 0:  # 0 means too few rounds for an interval
        low, high = 1 / measured["high"], 1 / measured["low"]
        axes.add_patch(patches.Rectangle((low, row - 0.35), high - low, 0.7, linewidth=0.8,
                                         facecolor=colour, edgecolor=colour, alpha=0.4))
        edges += [1 / ratio["high"], 1 / ratio["low"]]
        axes.plot(edges[1:], [row, row], color=colour, linewidth=1.3)
    axes.plot(speed, row, marker=marker, markersize=6, markeredgecolor=colour,
              markerfacecolor="white" if verdict == "UNSURE" else colour, markeredgewidth=1.1)
    picture.number(axes, row, f"{speed:.{3 if speed < 10 else 1}f} {verdict}")
    return edges


if __name__ == "__main__":
    command_line.main("compared", __doc__, draw, load, written_by="trilane compare with --json")
