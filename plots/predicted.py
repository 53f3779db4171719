"""Draws predicted beside measured wall times, and prints how well they agree."""

import picture  # first: reports a missing matplotlib
import bars
import command_line
import output_file
import prediction
import results as results_file

THICKNESS = 0.4  # of a bar, in rows: two bars and a gap fill one
FILLS = {"measured": {"alpha": 1.0}, "simulated": {"fill": False, "hatch": "//////"}}


def draw(measured, predicted):
    hint = (f"measured on {measured['context']['gpu'].get('name') or 'an unnamed GPU'}, simulated "
            f"with {results_file.simulated(predicted)} · means of one pass; black line: "
            "quartiles · number on the right: relative error of the simulated time")
    figure, panels = picture.panels(measured, "Wall time, measured and simulated", hint,
                                    row_inches=0.34)
    for (axes, comparison, looks), forecast in zip(panels, predicted["comparisons"]):
        draw_panel(axes, comparison, forecast, looks)
    bars.key(figure, FILLS)
    return figure


def draw_panel(axes, comparison, forecast, looks):
    timed = [m["wall"] for c in (comparison, forecast) for m in c["measurements"]
             if m["status"] == "ok"]
    scale = bars.set_scale(axes, timed, room=1.2, clock="wall time")
    for row, pair in enumerate(zip(comparison["measurements"], forecast["measurements"])):
        draw_row(axes, row, pair, looks[pair[0]["variant"]], scale)


def draw_row(axes, row, pair, look, scale):
    for y, measurement, style in zip((row - THICKNESS / 2, row + THICKNESS / 2), pair,
                                     FILLS.values()):
        if measurement["status"] == "ok":
            bars.bar(axes, y, THICKNESS, measurement["wall"], scale, look, style)
        else:
            picture.say(axes, y, measurement)
    if all(measurement["status"] == "ok" for measurement in pair):
        measured, simulated = (measurement["wall"]["mean"] for measurement in pair)
        picture.number(axes, row, f"{simulated / measured - 1:+.1%}".replace("-", "−"))


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("measured", metavar="MEASURED.json", help="written by trilane --json")
    parser.add_argument("predicted", metavar="PREDICTED.json",
                        help="written by trilane-sim --json with the same options")
    parser.add_argument("folder", metavar="OUTDIR", help="gets predicted.png and predicted.svg")
    arguments = parser.parse_args()
    both = prediction.load(arguments.measured, arguments.predicted)
    command_line.save(draw(*both), arguments.folder, "predicted")
    output_file.say(prediction.summary(*both))


if __name__ == "__main__":
    command_line.run(main)
