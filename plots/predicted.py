"""Draws predicted beside measured wall times, and prints how well they agree."""
import argparse

import picture  # first: it says what is missing where there is no matplotlib
import command_line
import prediction
import results as results_file
import scales
from matplotlib import patches

THICKNESS = 0.4  # of a bar, in rows: two and a gap make one
FILLS = {"measured": {"alpha": 1.0}, "simulated": {"fill": False, "hatch": "//////"}}


def draw(measured, predicted):
    hint = (f"measured on {measured['context']['gpu'].get('name') or 'an unnamed GPU'}, simulated "
            f"with {results_file.simulated(predicted)} · medians of one pass; black line: "
            "quartiles · number on the right: relative error of the simulated time")
    figure, panels = picture.panels(measured, "Wall time, measured and simulated", hint,
                                    row_inches=0.34)
    for (axes, comparison, looks), forecast in zip(panels, predicted["comparisons"]):
        draw_panel(axes, comparison, forecast, looks)
    keys = [patches.Patch(edgecolor="#333333", facecolor="#333333", linewidth=0.6,
                          label=label, **style) for label, style in FILLS.items()]
    figure.legend(handles=keys, loc="upper right", ncol=len(keys), frameon=False,
                  bbox_to_anchor=(1, 1 - 0.04 / figure.get_figheight()), borderaxespad=0.2)
    return figure


def draw_panel(axes, comparison, forecast, looks):
    timed = [m for c in (comparison, forecast) for m in c["measurements"] if m["status"] == "ok"]
    high = max((m["wall"][key] for m in timed for key in ("median", "q3")), default=0)
    unit, scale = scales.time_unit(high)
    for row, pair in enumerate(zip(comparison["measurements"], forecast["measurements"])):
        draw_row(axes, row, pair, looks[pair[0]["variant"]], scale)
    if not timed:
        return scales.without_scale(axes)
    scales.linear(axes, high / scale, room=1.2)  # for the number beside the longest bar
    axes.set_xlabel(f"wall time ({unit})")


def draw_row(axes, row, pair, look, scale):
    for y, measurement, style in zip((row - THICKNESS / 2, row + THICKNESS / 2), pair,
                                     FILLS.values()):
        if measurement["status"] != "ok":
            picture.say(axes, y, measurement)
            continue
        median, q1, q3 = (measurement["wall"][key] / scale for key in ("median", "q1", "q3"))
        axes.barh(y, median, THICKNESS * 0.86, facecolor=look.colour, edgecolor=look.colour,
                  linewidth=0.6, **style)
        axes.plot([q1, q3], [y, y], color="black", linewidth=1)
        axes.annotate(scales.short(median), (max(median, q3), y), (3, 0), va="center",
                      textcoords="offset points", size=picture.NUMBER_SIZE - 0.5)
    if all(measurement["status"] == "ok" for measurement in pair):
        measured, simulated = (measurement["wall"]["median"] for measurement in pair)
        picture.number(axes, row, f"{simulated / measured - 1:+.1%}".replace("-", "−"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", metavar="MEASURED.json", help="written by trilane --json")
    parser.add_argument("predicted", metavar="PREDICTED.json",
                        help="written by trilane-sim --json with the same options")
    parser.add_argument("folder", metavar="OUTDIR", help="gets predicted.png and predicted.svg")
    arguments = parser.parse_args()
    with command_line.exit_on_error(parser, arguments.folder):
        both = prediction.load(arguments.measured, arguments.predicted)
        command_line.save(draw(*both), arguments.folder, "predicted")
    print("\n".join(prediction.summary(*both)))


if __name__ == "__main__":
    main()
