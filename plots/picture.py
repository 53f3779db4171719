"""Holds what the pictures share: the grid of panels and the words in it."""
import sys
import textwrap

import stopping  # before matplotlib
try:
    import matplotlib
except ImportError:
    sys.exit(f"{sys.executable} cannot import matplotlib: install python3-matplotlib, "
             "or use a Python that has it, such as /usr/bin/python3")
matplotlib.use("Agg")
from matplotlib import figure as figures
from matplotlib import layout_engine, pyplot, transforms

import looks
import results as results_file
import tiers
from input_file import InputError

matplotlib.rcParams.update({
    "font.size": 8.5, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.grid.axis": "x", "grid.color": "#dddddd", "grid.linewidth": 0.6,
    "axes.axisbelow": True, "xtick.labelsize": 7.5, "axes.labelsize": 8,
    "svg.fonttype": "none",          # text stays text: it can be searched
    "svg.hashsalt": "trilane",       # the same results give the same bytes
    "text.parse_math": False,        # a message may hold a dollar sign
})

MOST_INCHES = 200
NUMBER_SIZE = 7.5  # points; the smallest text, readable where a README shrinks the picture
_GREY = "#555555"


class _LaidOut(figures.Figure):
    """Lays its panels out as it is drawn. To save a figure that has an engine for that, matplotlib
    draws it twice."""

    def draw(self, renderer):
        self.layout.execute(self)
        super().draw(renderer)


def panels(results, heading, hint, row_inches, key_inches=0, named_rows=True, by_tier=False,
           shape=results_file.shape):
    """A figure with one panel per comparison and room for one row per variant, and a list of (axes,
    comparison, looks). `hint` says below the heading how to read the picture; `key_inches` are kept
    for a key at the foot. Rows have their variant's name, unless the panel is to be used freely;
    `by_tier` puts a heading before each tier. `shape` gives the words below a panel's name."""
    comparisons = results["comparisons"]
    columns = min(2, len(comparisons))
    lines = -(-len(comparisons) // columns)
    rows = max(len(comparison["measurements"]) for comparison in comparisons)
    rows += by_tier and max(len(headings(comparison)) for comparison in comparisons)
    width = 9 if columns == 2 else 7
    hint = textwrap.wrap(hint, 15 * width)
    if results_file.simulated(results):
        heading += ", simulated"
    head, foot = 0.72 + 0.15 * len(hint), 0.3 + key_inches
    height = head + foot + lines * (0.95 + max(2, rows) * row_inches)
    figure = blank(width, height, FigureClass=_LaidOut)
    figure.layout = layout_engine.ConstrainedLayoutEngine(
        rect=(0.01, foot / height, 0.98, 1 - (head + foot) / height), h_pad=0.09, w_pad=0.04,
        hspace=0, wspace=0)
    for text, top, style in (
            (heading, 0.12, {"size": 13, "weight": "bold"}),
            (results_file.machine(results), 0.38, {"size": 9.5}),
            ("\n".join(hint), 0.62, {"size": NUMBER_SIZE + 0.5, "color": _GREY})):
        figure.text(0.13 / width, 1 - top / height, text, va="top", **style)
    figure.text(0.13 / width, 0.1 / height, results_file.origin(results), va="bottom",
                size=NUMBER_SIZE, color=_GREY)
    styles = looks.choose(results_file.variants(results), looks.stated_models(results))
    grid = figure.subplots(lines, columns, squeeze=False).flat
    for axes in list(grid)[len(comparisons):]:
        axes.remove()
    for axes, comparison in zip(figure.axes, comparisons):
        _title(axes, comparison["workload"], shape)
        if named_rows:
            name_rows(axes, comparison, rows, styles, by_tier)
    return figure, [(axes, comparison, styles) for axes, comparison
                    in zip(figure.axes, comparisons)]


def blank(width, height, **options):
    """A figure of that many inches; raises InputError for more than can be drawn, or seen."""
    if max(width, height) > MOST_INCHES:
        raise InputError(f"the picture would be {height:,.0f} inches high and {width:,.0f} wide, "
                         f"and can be {MOST_INCHES}: draw fewer presets, variants or values")
    return pyplot.figure(figsize=(width, height), **options)


def note(figure, text, top, **style):
    """Writes text at the left edge, `top` inches from the top."""
    width, height = figure.get_size_inches()
    figure.text(0.13 / width, 1 - top / height, text, va="top",
                **{"size": NUMBER_SIZE, "linespacing": 1.25, **style})


def _title(axes, workload, shape):
    axes.set_title(results_file.label(workload), loc="left", pad=17)
    axes.annotate(shape(workload), (0, 1), (0, 5), xycoords="axes fraction",
                  textcoords="offset points", size=NUMBER_SIZE, color=_GREY, va="bottom")


def places(comparison, by_tier=False):
    """Variant to the row of its name, from the top down."""
    if not by_tier:
        return {m["variant"]: row for row, m in enumerate(comparison["measurements"])}
    found, row = {}, 0
    for _, members in tiers.groups(comparison):
        row += bool(headings(comparison))
        for measurement in members:
            found[measurement["variant"]] = row
            row += 1
    return found


def headings(comparison):
    """Pairs of a row and the tier that it is the heading of; none if there is only one tier."""
    groups, found, row = tiers.groups(comparison), [], 0
    for tier, members in groups if len(groups) > 1 else ():
        found.append((row, tier or "of no known tier"))
        row += 1 + len(members)
    return found


def name_rows(axes, comparison, rows, styles, by_tier=False):
    """Labels each row with the variant's name and marker."""
    found = places(comparison, by_tier)
    axes.set_ylim(max(2, rows) - 0.5, -0.5)
    axes.set_yticks(list(found.values()), list(found))
    axes.tick_params(axis="y", length=0, pad=13)
    beside = axes.get_yaxis_transform() + transforms.ScaledTranslation(
        -8 / 72, 0, axes.figure.dpi_scale_trans)
    for name, row in found.items():
        axes.plot(0, row, transform=beside, clip_on=False, linestyle="none", markersize=5.5,
                  marker=styles[name].marker, color=styles[name].colour)
    for row, tier in headings(comparison) if by_tier else ():
        axes.annotate(tier, (0, row), (-4, -1), xycoords=("axes fraction", "data"), ha="right",
                      va="center", textcoords="offset points", size=NUMBER_SIZE, color=_GREY,
                      style="italic")


def rows(axes, comparison, styles, scale, draw_row):
    """Draws the row of every variant that has times, and says of the others why they have none."""
    for row, measurement in enumerate(comparison["measurements"]):
        if measurement["status"] == "ok":
            draw_row(axes, row, measurement, styles[measurement["variant"]], scale)
        else:
            say(axes, row, measurement)


def say(axes, row, measurement):
    """Words in the row of a variant that has no times."""
    axes.text(0.02, row, why_missing(measurement), va="center",
              style="italic", size=NUMBER_SIZE, color=_GREY, transform=axes.get_yaxis_transform(),
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})


def why_missing(measurement):
    """Returns why a variant has no figures, in a few words."""
    status = "not priced" if measurement["status"] == "ok" else measurement["status"]
    words = ": ".join(filter(None, (status, measurement["message"])))
    return textwrap.shorten(words, 44, placeholder=" …")


def number(axes, row, text, **style):
    """A figure at the right end of a row, outside the axes, where nothing can cover it."""
    axes.annotate(text, (1, row), (5, 0), xycoords=("axes fraction", "data"), va="center",
                  textcoords="offset points", size=NUMBER_SIZE, annotation_clip=False, **style)
