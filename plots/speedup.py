"""Draws the speed-up of each variant over the reference, by tier, with its 95% interval, or with
the model's error if it was predicted."""

import picture  # first: reports a missing matplotlib
import command_line
import ratios
import results as results_file
import scales
import tiers

HINT = ("speed-up by wall time · box and brackets: {} · right of the line: faster · hollow: they "
        "contain 1 · bold: the best{}")
_OF_TIER = " of its tier, which is how far a program must change to follow"


def draw(results):
    references = {c["reference"]: None for c in results["comparisons"] if c["reference"]}
    replayed = results_file.all_replayed(results)
    heading = "Speed-up over " + ("the same calls" if replayed else " and ".join(references)
                                  or "a reference that did not run")
    hint = HINT.format(ratios.kind(results_file.simulated(results)),
                       " · bound: not every program can do without the host's waits" if replayed
                       else _OF_TIER)
    figure, panels = picture.panels(results, heading, hint, row_inches=0.24, by_tier=True)
    for axes, comparison, looks in panels:
        draw_panel(axes, comparison, looks, picture.places(comparison, by_tier=True))
    return figure


def draw_panel(axes, comparison, looks, places):
    """`places`: variant to its row."""
    edges = [1.0]
    best = {winner["variant"] for winner in tiers.winners(comparison).values()}
    for measurement in comparison["measurements"]:
        row, variant = places[measurement["variant"]], measurement["variant"]
        weight = "bold" if variant in best else "normal"
        if measurement["status"] != "ok":
            picture.say(axes, row, measurement)
        elif "ratio" in measurement:
            edges += draw_row(axes, row, measurement["ratio"], looks[variant], weight,
                              " bound" * tiers.is_bound(measurement))
        elif variant == comparison["reference"]:
            draw_point(axes, row, 1, looks[variant], hollow=False)
            picture.number(axes, row, "reference", weight=weight)
        else:
            picture.number(axes, row, "not compared")
    if len(edges) == 1:
        scales.without_scale(axes)
        axes.set_xlabel("no two variants to compare")
        return
    axes.axvline(1, color="black", linewidth=0.8, zorder=1)
    # At least a tenth to either side, so that a difference of a percent does not fill the panel.
    scales.logarithmic(axes, min(edges + [0.9]), max(edges + [1.1]))
    axes.set_xlabel(f"speed-up over {comparison['reference']} (×), log scale")


def draw_row(axes, row, ratio, look, weight, note=""):
    """Returns the speeds that the axis has to reach. `note` comes after the figures."""
    speed, bounds, remark = ratios.speed(ratio), ratios.bounds(ratio), ratios.remark(ratio)
    words = figure(speed)
    if bounds:
        low, high = bounds
        # Taller than the marker, so that it shows even if the interval is narrower.
        axes.barh(row, high - low, 0.7, left=low, facecolor=look.colour, edgecolor=look.colour,
                  linewidth=0.8, alpha=0.4)
        words += f" ({figure(low)}–{figure(high)})"
    draw_point(axes, row, speed, look, hollow=bool(remark))
    picture.number(axes, row, f"{words} {remark}".strip() + note, weight=weight)
    return speed, *(bounds or ())


def figure(speed):
    """With decimals enough to show a tenth of a percent near 1."""
    return f"{speed:.{3 if speed < 10 else 1}f}"


def draw_point(axes, row, speed, look, hollow):
    axes.plot(speed, row, marker=look.marker, markersize=6, markeredgecolor=look.colour,
              markerfacecolor="white" if hollow else look.colour, markeredgewidth=1.1)


if __name__ == "__main__":
    command_line.main("speedup", __doc__, draw)
