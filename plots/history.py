"""Draws the times of each variant over commits, and where they changed."""
import math

import picture  # first: reports a missing matplotlib
import command_line
import input_file
import looks
from schema import printed

_COSTS = "costs"
_HINT = "time over its median, commit by commit · dashed: the first commit with new times"
_KIND = input_file.Kind("trilane-history", (1,), "history", "trilane history with --json",
                        printed("history"))


def load(path):
    """The history in the file at `path`, checked; raises InputError."""
    found = input_file.load(path, _KIND)
    count = len(found["commits"])
    if not count or any(len(curve["relative"]) != count for curve in found["curves"]):
        raise input_file.InputError(f"{str(path)!r} has curves of other lengths than its "
                                    f"{count} commits: run trilane history again")
    for change in found["changes"]:
        if change["since"] not in found["commits"]:
            raise input_file.InputError(f"{str(path)!r} has a change at {change['since']!r}, which "
                                        "is not one of its commits: run trilane history again")
    return found


def panels_of(found):
    """By workload, or costs: pairs of a variant's or cost's name and its times."""
    panels = {}
    for curve in found["curves"]:
        name, on, workload = curve["name"].partition(" on ")
        panels.setdefault(workload if on else _COSTS, []).append((name, curve["relative"]))
    return panels


def panel_of(name):
    """The panel of a figure of that name."""
    return name.partition(" on ")[2] or _COSTS


def draw(found):
    panels = panels_of(found)
    height = 1.0 + 2.6 * max(1, len(panels))
    figure = picture.blank(9, height)
    picture.note(figure, "History", 0.12, size=13, weight="bold")
    picture.note(figure, _HINT, 0.4, size=8)
    grid = figure.subplots(max(1, len(panels)), 1, sharex=True, squeeze=False).flat
    figure.subplots_adjust(left=0.08, right=0.8, top=1 - 0.9 / height, bottom=0.5 / height,
                           hspace=0.35)
    for axes, (title, curves) in zip(grid, panels.items()):
        draw_panel(axes, title, curves, found)
    axes = figure.axes[-1]
    commits = found["commits"]
    step = math.ceil(len(commits) / 7)
    axes.set_xticks(range(0, len(commits), step), [name[-12:] for name in commits[::step]])
    return figure


def draw_panel(axes, title, curves, found):
    styles = looks.choose([name for name, _ in curves])
    axes.set_title(title, loc="left")
    axes.set_ylabel("time / median")
    for name, values in curves:
        points = [(place, value) for place, value in enumerate(values) if value > 0]
        axes.plot(*zip(*points), label=name, marker=styles[name].marker, markersize=3,
                  linewidth=0.8, color=styles[name].colour)
    for change in found["changes"]:
        if any(title == panel_of(figure["name"]) for figure in change["figures"]):
            axes.axvline(found["commits"].index(change["since"]) - 0.5, color="black",
                         linewidth=1, linestyle="--")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=picture.NUMBER_SIZE,
                ncols=1 + len(curves) // 14, frameon=False)


if __name__ == "__main__":
    command_line.main("history", __doc__, draw, load, written_by="trilane history with --json")
