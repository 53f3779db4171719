"""Draws the cells of a map of regimes and its axes."""
import looks
import picture
import regime_map
import sweep_file
import tiers
from matplotlib import colors, patches

BLANK = {"not supported": ("–", "#e6e6e6"), "out of memory": ("–", "#e6e6e6"),
         "failed": ("!", "#e6e6e6"), "not run": ("·", "white")}
_DIGIT = 0.065  # inches, the width of a character of a tick label


def crowded(found, cell_width):
    """Returns true if the values of columns must be turned to fit."""
    labels = [regime_map.value(found["columns"], value) for value in found["columns"]["values"]]
    return _DIGIT * max(map(len, labels)) > cell_width


def draw(axes, found, upright):
    letters = dict(zip(found["variants"], found["letters"]))
    styles = looks.choose(found["variants"])
    _label(axes, found, upright)
    done = {(cell["column"], cell["row"]): cell for cell in found["cells"]}
    for column in range(len(found["columns"]["values"])):
        for row in range(len(found["rows"]["values"])):
            cell = done.get((column, row), {"status": "not run"})
            _draw_cell(axes, column, row, cell, styles, letters)
    _draw_borders(axes, {place: sweep_file.tier_of(found, cell["winner"])
                         for place, cell in done.items() if cell["status"] == "ok"})


def _draw_borders(axes, tier_at):
    """Lines between neighbours that winners of different tiers have."""
    for (column, row), tier in tier_at.items():
        x, y = column + 0.5, row + 0.5
        for other, line in (((column + 1, row), ([x, x], [row - 0.5, y])),
                            ((column, row + 1), ([column - 0.5, x], [y, y]))):
            if tier_at.get(other, tier) != tier:
                for colour, width in (("white", 4.4), ("black", 2)):  # visible on any ground
                    axes.plot(*line, color=colour, linewidth=width, solid_capstyle="projecting",
                              zorder=2 if colour == "white" else 2.1)


def _label(axes, found, upright):
    for axis, place, edge in (("columns", axes.xaxis, axes.set_xlim),
                              ("rows", axes.yaxis, axes.set_ylim)):
        values = found[axis]["values"]
        edge(-0.5, len(values) - 0.5)
        place.set_ticks(range(len(values)), [regime_map.value(found[axis], v) for v in values])
        place.set_label_text(regime_map.caption(found[axis]))
    axes.tick_params(length=0, labelsize=picture.NUMBER_SIZE)
    axes.tick_params(axis="x", rotation=90 if upright else 0)
    axes.grid(False)
    # Above the values: beside a map of few rows the label would not fit.
    figure = axes.figure
    axes.set_ylabel(axes.get_ylabel(), rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0.13 / figure.get_figwidth(), axes.get_position().y1
                                + 0.06 / figure.get_figheight(), transform=figure.transFigure)


def _draw_cell(axes, column, row, cell, styles, letters):
    words, face = BLANK.get(cell["status"], (None, None))
    if words is None:
        gain = regime_map.gain(cell)
        words, face = letters[cell["winner"]], shade(styles[cell["winner"]].colour, gain)
        _write(axes, column, row, face, times(gain), -3, va="top", size=picture.NUMBER_SIZE - 1)
    # The hatch of a tie is white, because dark lines would hide the letter on a dark cell.
    axes.add_patch(patches.Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face,
                                     edgecolor="white", linewidth=0.8,
                                     hatch="/////" if cell.get("tied") else None))
    _write(axes, column, row, face, words, -1, va="bottom", size=picture.NUMBER_SIZE + 1.5,
           weight="bold")


def _write(axes, column, row, face, text, points, **style):
    """Writes text on its own background, so that no hatch crosses it."""
    axes.annotate(text, (column, row), (0, points), textcoords="offset points", ha="center",
                  color=ink(face), bbox={"facecolor": face, "edgecolor": "none", "pad": 0.6},
                  **style)


def shade(colour, gain):
    """The colour, paler for smaller gains: 35% of its strength without a gain, all of it when twice
    as fast."""
    part = 0.35 + 0.65 * min(1, max(0, gain - 1))
    return colors.to_hex([1 - part * (1 - channel) for channel in colors.to_rgb(colour)])


def ink(face):
    """Black or white, whichever has more contrast by WCAG 2.1."""
    lights = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
              for channel in colors.to_rgb(face)]
    luminance = sum(weight * light for weight, light in zip((0.2126, 0.7152, 0.0722), lights))
    return "black" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "white"


def times(gain):
    return f"{gain:.2f}×" if gain < 9.995 else f"{gain:.0f}×"


def legend_lines(found):
    """Pairs of a heading and patches: for each tier the variants that win a cell, and for every
    other state of cells."""
    styles = looks.choose(found["variants"])
    letters = dict(zip(found["variants"], found["letters"]))
    lines = {tier: [] for tier in (*tiers.TIERS, None)}
    for name in regime_map.winners(found):
        lines[sweep_file.tier_of(found, name)].append(patches.Patch(facecolor=styles[name].colour,
                                                   label=f"{letters[name]}  {name}"))
    states = {cell["status"] for cell in found["cells"]}
    if len(found["cells"]) < len(found["columns"]["values"]) * len(found["rows"]["values"]):
        states.add("not run")
    rest = [patches.Patch(facecolor=face, edgecolor="#555555", linewidth=0.5,
                          label=f"{sign}  {status}")
            for status, (sign, face) in BLANK.items() if status in states]
    lines[None] += rest
    return [(tier or "other", keys) for tier, keys in lines.items() if keys]
