"""Draws the speed-up of the variants that a reader compares first: a small panel of a report."""
import looks
import picture  # before matplotlib: reports that it is missing
import results as results_file
import speedup
import tiers
from plain_text import cut

_WIDTH, _LEFT, _RIGHT = 4.35, 1.3, 1.5  # inches: the panel, and what is beside its axes
_ROW, _HEAD, _FOOT = 0.165, 0.24, 0.2


def draw(comparison):
    """The panel, or None if there is nothing to compare."""
    shown = tiers.contenders(comparison)
    if not any("ratio" in m for m in shown):
        return None
    height = _HEAD + _ROW * len(shown) + _FOOT
    figure = picture.blank(_WIDTH, height)
    axes = figure.add_axes((_LEFT / _WIDTH, _FOOT / height, (_WIDTH - _LEFT - _RIGHT) / _WIDTH,
                            1 - (_HEAD + _FOOT) / height))
    only = {**comparison, "measurements": shown}
    whole = {"comparisons": [comparison]}
    styles = looks.choose(results_file.variants(whole), looks.stated_models(whole))
    picture.name_rows(axes, only, len(shown), styles)
    axes.tick_params(axis="y", labelsize=picture.NUMBER_SIZE + 0.5)
    speedup.draw_panel(axes, only, styles, {m["variant"]: row for row, m in enumerate(shown)})
    axes.set_xlabel("")
    _part_tiers(axes, only)
    axes.set_title(cut(comparison["name"], 40), loc="left", size=9.5, pad=4)
    return figure


def _part_tiers(axes, comparison):
    row = 0
    for _, members in tiers.groups(comparison)[:-1]:
        row += len(members)
        axes.axhline(row - 0.5, color="#999999", linewidth=0.6)
