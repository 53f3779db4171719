"""A column of names beside a panel, with a line from each point to its name. Points may coincide,
names may not."""
import picture  # first: reports a missing matplotlib
from matplotlib import patches

PLACE = 1.03  # in widths of the axes


def heights(count):
    """The positions of the names from top to bottom, in heights of the axes."""
    return [1 - (line + 0.5) / max(2, count) for line in range(count)]


def connect(axes, point, height, colour):
    """The line from a point in data coordinates to the column."""
    line = patches.ConnectionPatch(point, (PLACE, height), "data", axes.transAxes, axesA=axes,
                                   linewidth=0.5, color=colour, alpha=0.6)
    line.set_in_layout(False)
    axes.add_artist(line)


def name(axes, place, height, variant, **style):
    axes.text(place, height, variant.replace(",", ",\n"), transform=axes.transAxes, va="center",
              **{"size": picture.NUMBER_SIZE, **style})
