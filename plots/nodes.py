"""Draws the host time of a graph launch against its number of nodes, by kind, from a profile."""
import re

import picture  # first: reports a missing matplotlib
import command_line
import input_file
import scales
from input_file import InputError
from matplotlib import pyplot
from schema import LASTING, printed

_KINDS = {  # in the order of the labels: colour, marker
    "copy in": ("#0072b2", "o"), "copy out": ("#56b4e9", "v"), "memset": ("#e69f00", "s"),
    "kernel": ("#d55e00", "^"),
}
_KEY = re.compile(r"launch of ([1-9]\d{0,8}) (.+) nodes")


def _lasting(profile):
    for key, microseconds in profile["calls_us"].items():
        if _KEY.fullmatch(key) and microseconds < LASTING["minimum"]:  # of a log axis
            yield f".calls_us.{key}", f"a number from {LASTING['minimum']:g}", microseconds


_KIND = input_file.Kind("trilane-profile", (1,), "profile", "trilane calibrate",
                        {**printed("profile"), "rules": [_lasting]})


def load(path):
    """The profile in the file at `path`; raises InputError."""
    profile = input_file.load(path, _KIND)
    if not launches(profile):
        raise InputError(f"{str(path)!r} is from an older version and has no launches: name a "
                         f"file written by {_KIND.again}")
    return profile


def launches(profile):
    """Kind of node to a sorted list of (nodes, microseconds of one launch)."""
    found = {}
    for key, microseconds in profile.get("calls_us", {}).items():
        match = _KEY.fullmatch(key)
        if match and match[2] in _KINDS:
            found.setdefault(match[2], []).append((int(match[1]), microseconds))
    return {kind: sorted(found[kind]) for kind in _KINDS if kind in found}


def draw(profile):
    figure, axes = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    above = None  # the end of the line above; if lines end close together, labels move down
    for kind, points in sorted(launches(profile).items(), key=lambda item: -item[1][-1][1]):
        colour, marker = _KINDS[kind]
        axes.plot(*zip(*points), color=colour, marker=marker, markersize=5, linewidth=1.2)
        crowded = above is not None and above < 1.4 * points[-1][1]
        axes.annotate(f"{kind} · {scales.short(points[-1][1])} µs", points[-1],
                      (7, -10 if crowded else 2), va="center", textcoords="offset points",
                      size=picture.NUMBER_SIZE + 1, color=colour)
        above = points[-1][1]
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.grid(axis="both")
    nodes = sorted({n for points in launches(profile).values() for n, _ in points})
    axes.set_xticks(nodes, [str(n) for n in nodes])
    axes.minorticks_off()
    axes.set_xlim(nodes[0] / 1.3, nodes[-1] * 5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.set_xlabel("nodes of one kind, in a chain (4 KiB each)")
    axes.set_ylabel("host time of one cudaGraphLaunch (µs)")
    axes.set_title(f"Host time of a graph launch, by kind of node\n{profile['name']}, "
                   f"{profile['calibrated'][:10]}", loc="left", size=10.5)
    return figure


if __name__ == "__main__":
    command_line.main("nodes", __doc__, draw, load, "PROFILE.json", "trilane calibrate")
