"""Draws a map of regimes: which variant wins where, and by how much."""
import argparse
import sys
import textwrap

import picture  # first: it says what is missing where there is no matplotlib
import looks
import regime_map
import results as results_file
from matplotlib import colors, patches, pyplot

HINT = ("letter and colour: the fastest variant · number: how many times as fast as the runner-up, "
        "the paler the less · hatched: a tie, others cannot be told from it or are less than 1% "
        "slower")
BLANK = {"not supported": ("–", "#e6e6e6"), "failed": ("!", "#e6e6e6"), "not run": ("·", "white")}
GREY = "#555555"
LEFT, FOOT, HEIGHT = 1.05, 0.3, 0.44  # inches: beside the map, below all, and of a cell
LINE = 0.145  # inches, of small text


def draw(found):
    columns, rows = (len(found[axis]["values"]) for axis in ("columns", "rows"))
    cell_width = min(0.62, max(0.42, 7.4 / columns))
    width = max(7, LEFT + columns * cell_width + 0.25)
    page = int(14.5 * width)
    hint = textwrap.wrap(HINT, page)
    words = [line for border in found["borders"] for line in textwrap.wrap(
        border["words"].replace(" us", " µs") + ".", page, initial_indent="• ",
        subsequent_indent="  ")]
    head, legend, ticks = 0.75 + LINE * len(hint), 0.32, 0.62
    foot = FOOT + LINE * (len(words) + 1)
    height = head + legend + rows * HEIGHT + ticks + foot
    figure = pyplot.figure(figsize=(width, height))
    axes = figure.add_axes((LEFT / width, (foot + ticks) / height,
                            columns * cell_width / width, rows * HEIGHT / height))
    heading = f"Which variant wins where, {found['workload']}"
    say(figure, heading + ", simulated" * bool(results_file.simulated(found)), 0.12, size=13,
        weight="bold")
    say(figure, regime_map.machine(found), 0.4, size=9.5)
    say(figure, "\n".join(hint), 0.64, color=GREY)
    say(figure, "\n".join(words), height - foot + 0.08)
    say(figure, results_file.origin(found), height - 0.22, color=GREY)
    draw_map(axes, found, looks.choose(found["variants"]))
    key(figure, found, 1 - (head + 0.02) / height)
    return figure


def say(figure, text, top, **style):
    """Text at the left edge, `top` inches below the upper one."""
    width, height = figure.get_size_inches()
    figure.text(0.13 / width, 1 - top / height, text, va="top",
                **{"size": picture.NUMBER_SIZE, "linespacing": 1.25, **style})


def draw_map(axes, found, styles):
    letters = dict(zip(found["variants"], found["letters"]))
    for axis, place, edge in (("columns", axes.xaxis, axes.set_xlim),
                              ("rows", axes.yaxis, axes.set_ylim)):
        values = found[axis]["values"]
        edge(-0.5, len(values) - 0.5)
        place.set_ticks(range(len(values)), [regime_map.value(found[axis], v) for v in values])
        place.set_label_text(regime_map.caption(found[axis]))
    axes.tick_params(length=0, labelsize=picture.NUMBER_SIZE)
    crowded = axes.get_position().width * axes.figure.get_figwidth() < 0.52 * len(
        found["columns"]["values"])
    axes.tick_params(axis="x", rotation=40 if crowded else 0)
    axes.grid(False)
    done = {(cell["column"], cell["row"]): cell for cell in found["cells"]}
    for column in range(len(found["columns"]["values"])):
        for row in range(len(found["rows"]["values"])):
            cell = done.get((column, row), {"status": "not run"})
            draw_cell(axes, column, row, cell, styles, letters)


def draw_cell(axes, column, row, cell, styles, letters):
    words, face = BLANK.get(cell["status"], (None, None))
    tie = bool(cell.get("tied"))
    if words is None:
        gain = regime_map.gain(cell)
        face = shade(styles[cell["winner"]].colour, gain)
        words = letters[cell["winner"]]
        axes.annotate(times(gain), (column, row), (0, -3), textcoords="offset points", ha="center",
                      va="top", size=picture.NUMBER_SIZE - 1, color=ink(face), bbox=behind(face))
    axes.add_patch(cell_patch(column, row, face, tie))
    axes.annotate(words, (column, row), (0, -1), textcoords="offset points", ha="center",
                  va="bottom", size=picture.NUMBER_SIZE + 1.5, weight="bold", color=ink(face),
                  bbox=behind(face))


def cell_patch(column, row, face, tie):
    """A tie's lines are white: dark ones would hide the letter on a dark cell."""
    return patches.Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor="white",
                             linewidth=0.8, hatch="/////" if tie else None)


def behind(face):
    """Keeps the hatching of a tie out of the words."""
    return {"facecolor": face, "edgecolor": "none", "pad": 0.6}


def shade(colour, gain):
    """Paler for a small gain: 35% of the colour for none, all of it from twice as fast on."""
    part = 0.35 + 0.65 * min(1, max(0, gain - 1))
    return colors.to_hex([1 - part * (1 - channel) for channel in colors.to_rgb(colour)])


def ink(face):
    """Black or white, whichever can be read on that colour."""
    red, green, blue = colors.to_rgb(face)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.45 else "white"


def times(gain):
    return f"{gain:.2f}×" if gain < 9.995 else f"{gain:.0f}×"


def key(figure, found, top):
    """One patch for every variant that wins somewhere, with its letter."""
    styles, letters = looks.choose(found["variants"]), dict(zip(found["variants"],
                                                                found["letters"]))
    handles = [patches.Patch(facecolor=styles[name].colour, label=f"{letters[name]}  {name}")
               for name in regime_map.winners(found)]
    found_states = {cell["status"] for cell in found["cells"]}
    for status, (sign, face) in BLANK.items():
        if status in found_states:
            handles.append(patches.Patch(facecolor=face, edgecolor=GREY, linewidth=0.5,
                                         label=f"{sign}  {status}"))
    figure.legend(handles=handles, loc="upper left", ncols=len(handles) or 1, frameon=False,
                  bbox_to_anchor=(0.13 / figure.get_figwidth(), top), borderaxespad=0,
                  borderpad=0, handlelength=1.2, columnspacing=1.4,
                  fontsize=picture.NUMBER_SIZE + 0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("map", metavar="MAP.json", help="written by trilane --sweep with --json")
    parser.add_argument("folder", metavar="OUTDIR", help="gets regimes.png and regimes.svg")
    arguments = parser.parse_args()
    try:
        picture.save(draw(regime_map.load(arguments.map)), arguments.folder, "regimes")
    except results_file.ResultsError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{parser.prog}: '{arguments.folder}' cannot take the pictures "
              f"({error.strerror}): name a folder that can be written", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())
