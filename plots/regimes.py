"""Draws a map of regimes: which variant wins where, and by how much."""
import itertools
import textwrap

import picture  # first: reports a missing matplotlib
import command_line
import regime_cells
import regime_map
import results as results_file
import sweep_file

HINT = ("letter and colour: the fastest variant · number: speed over the runner-up, paler if lower "
        "· hatched: a tie, others tie or are less than 1% slower · black lines: between tiers, "
        "which are how far a program must change")
GREY = "#555555"
# Inches: left margin, height of a cell, height of a line of small text, width and height of a
# legend entry.
LEFT, HEIGHT, LINE, KEY, ENTRY = 1.05, 0.44, 0.145, 1.45, 0.19


def draw(found):
    columns, rows = (len(found[axis]["values"]) for axis in ("columns", "rows"))
    cell_width = min(0.62, max(0.42, 7.4 / columns))
    width = max(7, LEFT + columns * cell_width + 0.25)
    page = int(14.5 * width)
    hint = textwrap.wrap(HINT, page)
    words = [line for border in found["borders"] for line in textwrap.wrap(
        border["words"].replace(" us", " µs") + ".", page, initial_indent="• ",
        subsequent_indent="  ")]
    keys = regime_cells.legend_lines(found)
    across = max(1, int((width - LEFT) / KEY))
    lines = [-(-len(patches) // across) for _, patches in keys]
    upright = regime_cells.crowded(found, cell_width)
    head, legend = 0.72 + LINE * len(hint), 0.32 + ENTRY * sum(lines)
    foot = (0.95 if upright else 0.5) + LINE * len(words) + 0.4
    height = head + legend + rows * HEIGHT + foot
    figure = picture.blank(width, height)
    axes = figure.add_axes((LEFT / width, foot / height, columns * cell_width / width,
                            rows * HEIGHT / height))
    heading = f"Which variant wins where, {found['workload']}"
    picture.note(figure, heading + ", simulated" * bool(results_file.simulated(found)), 0.12,
                 size=13, weight="bold")
    picture.note(figure, regime_map.machine(found), 0.4, size=9.5)
    picture.note(figure, "\n".join(hint), 0.64, color=GREY)
    picture.note(figure, "\n".join(words), height - LINE * len(words) - 0.36)
    picture.note(figure, results_file.origin(found), height - 0.22, color=GREY)
    regime_cells.draw(axes, found, upright)
    for (heading, patches), above in zip(keys, itertools.accumulate([0, *lines])):
        top = head + ENTRY * above
        picture.note(figure, heading, top, color=GREY, style="italic")
        figure.legend(handles=patches, loc="upper left", ncols=across, frameon=False, borderpad=0,
                      bbox_to_anchor=((LEFT + 0.13) / width, 1 - top / height), borderaxespad=0,
                      handlelength=1.2, columnspacing=1.4, fontsize=picture.NUMBER_SIZE + 0.5)
    return figure


if __name__ == "__main__":
    command_line.main("regimes", __doc__, draw, sweep_file.load_map, "MAP.json",
                      "trilane sweep over two knobs with --json")
