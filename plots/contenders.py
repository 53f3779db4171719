"""Draws the speed-up of the variants that a reader compares first: a small panel for each comparison,
in a report one by one, and as a script all in one picture."""
import picture  # before matplotlib: reports that it is missing
import command_line
import looks
import ratios
import results as results_file
import speedup
import tiers
from plain_text import cut

_WIDTH, _LEFT, _RIGHT = 4.95, 1.3, 2.15  # inches: the panel, and what is beside its axes
_ROW, _HEAD, _FOOT = 0.165, 0.24, 0.2
_TOP, _ORIGIN, _GAP = 0.85, 0.3, 0.12  # of a picture of several panels
_HINT = ("by wall time · box and figures in brackets: {} · right of the line: faster · hollow: they "
         "contain 1 · bold: the best of its tier")


def draw(comparison):
    """The panel, or None if there is nothing to compare."""
    if not _can_be_drawn(comparison):
        return None
    height = _height(comparison)
    figure = picture.blank(_WIDTH, height)
    _add_panel(figure, comparison, comparison["name"], 0, height)
    return figure


def draw_all(results):
    """All comparisons in one picture, in two columns."""
    shown = [c for c in results["comparisons"] if _can_be_drawn(c)]
    rows = [shown[at:at + 2] for at in range(0, len(shown), 2)]
    heights = [max(map(_height, row)) + _GAP for row in rows]
    width, height = 2 * _WIDTH, _TOP + sum(heights) + _ORIGIN
    figure = picture.blank(width, height)
    simulated = results_file.simulated(results)
    heading = "Speed-up over the reference" + (", simulated" if simulated else "")
    picture.note(figure, heading, 0.1, size=13, weight="bold")
    picture.note(figure, results_file.machine(results), 0.36, size=9.5)
    picture.note(figure, _HINT.format(ratios.kind(simulated)), 0.58)
    picture.note(figure, results_file.origin(results), height - 0.2)
    top = height - _TOP
    for row, row_height in zip(rows, heights):
        for column, comparison in enumerate(row):
            name = f"{results_file.label(comparison['workload'])}, over {comparison['reference']}"
            _add_panel(figure, comparison, name, column * _WIDTH, top)
        top -= row_height
    return figure


def _can_be_drawn(comparison):
    return any("ratio" in m for m in tiers.contenders(comparison))


def _height(comparison):
    return _HEAD + _ROW * len(tiers.contenders(comparison)) + _FOOT


def _add_panel(figure, comparison, name, left, top):
    """At that place in inches from the lower left corner."""
    width, height = figure.get_size_inches()
    shown = tiers.contenders(comparison)
    inner = _ROW * len(shown)
    axes = figure.add_axes(((left + _LEFT) / width, (top - _HEAD - inner) / height,
                            (_WIDTH - _LEFT - _RIGHT) / width, inner / height))
    only = {**comparison, "measurements": shown}
    whole = {"comparisons": [comparison]}
    styles = looks.choose(results_file.variants(whole), looks.stated_models(whole))
    picture.name_rows(axes, only, len(shown), styles)
    axes.tick_params(axis="y", labelsize=picture.NUMBER_SIZE + 0.5)
    speedup.draw_panel(axes, only, styles, {m["variant"]: row for row, m in enumerate(shown)})
    axes.set_xlabel("")
    _part_tiers(axes, only)
    axes.set_title(cut(name, 40), loc="left", size=9.5, pad=4)


def _part_tiers(axes, comparison):
    row = 0
    for _, members in tiers.groups(comparison)[:-1]:
        row += len(members)
        axes.axhline(row - 0.5, color="#999999", linewidth=0.6)


if __name__ == "__main__":
    command_line.main("contenders", __doc__, draw_all)
