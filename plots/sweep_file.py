"""Reads and checks the files of sweeps: maps of regimes, and curves."""
import functools
import itertools

import input_file
import tiers
from results_check import CONTEXT, RATIO
from rules import as_long, filled, rising, unlike
from schema import (LASTING, NAME, SOME, list_of, map_of, members, number, one_of, printed,
                    without)

PER_BYTE = "wall time per byte of input"


def _ascending(values):
    for place, (one, other) in enumerate(itertools.pairwise(values), 1):
        if not one < other:
            yield f"[{place}]", f"above the one before, {one:.10g},", other


def _known(found):
    """Positions are those of values, and names those of variants with times there."""
    axes = {axis: range(len(found[axis]["values"]) if found.get(axis) else 1)
            for axis in ("columns", "rows")}
    timed = {variant: set() for variant in found["variants"]}
    for index, cell in enumerate(found["cells"]):
        place, times = f".cells[{index}]", cell.get("variants") or {}
        for key, axis in (("column", "columns"), ("row", "rows")):
            if cell[key] not in axes[axis]:
                yield f"{place}.{key}", f"the place of a value in .{axis}", cell[key]
        if cell["status"] == "ok":
            for name in times:
                if name not in timed:
                    yield f"{place}.variants", "of the sweep's variants", name
                timed[name].add(cell["column"])
            if cell["winner"] not in found["variants"]:
                yield f"{place}.winner", "one of the variants", cell["winner"]
    for name, curve in found["curves"].items():
        best = (curve.get("optimum") or {"best": None})["best"]
        if best is not None and best not in timed.get(name, ()):
            yield f".curves.{name}.optimum.best", "the place of a value with times", best


_PLACE = number(0, 9999, "integer")
_AXIS = {"properties": {"unit": one_of("", "bytes", "us"),
                        "values": list_of(LASTING, rules=[filled, _ascending])}}
_TIMES = members(dict.fromkeys(("wall_us", "wall_low_us", "wall_high_us"), LASTING),
                 rules=[rising("wall_low_us", "wall_us", "wall_high_us")])
_OK = members({"winner": NAME, "variants": map_of(_TIMES), "visits": SOME,
               "workload": members({"bytes": LASTING})},
              {"over_runner_up": RATIO, "over_reference": RATIO})
_CELL = members({"column": _PLACE, "row": _PLACE},
                which=lambda cell: _OK if cell["status"] == "ok" else None)
_SPAN = {"rules": [rising("first", "last")]}
_CURVE = {"properties": {"optimum": {"properties": {"within": _SPAN, "perhaps": _SPAN}}}}
_MORE = members(
    {"context": CONTEXT, "workload": NAME, "columns": _AXIS,
     "variants": list_of(NAME, rules=[filled, unlike("variant")]),
     "cells": list_of(_CELL, rules=[unlike("cell", lambda cell: (cell["column"], cell["row"]))]),
     "curves": map_of(_CURVE)},
    {"rows": _AXIS}, rules=[as_long("variants", "tiers", "letters"), _known])


@functools.cache
def _shape(version):
    """The schema of a sweep of that version."""
    return {"allOf": [without(printed("sweep"), () if version >= 3 else ("processes",)), _MORE]}


KIND = input_file.Kind("trilane-sweep", (2, 3), "sweep", "trilane sweep with --json", _shape)


def load_map(path):
    """The checked map in the file at `path`; raises InputError."""
    found = _load(path)
    if not found.get("rows"):
        raise input_file.InputError(f"{str(path)!r} is of a sweep over one knob: draw it with "
                                    "curves.py")
    return found


def load_curves(path):
    """The checked sweep over one knob in the file at `path`; raises InputError."""
    found = _load(path)
    if found.get("rows"):
        raise input_file.InputError(f"{str(path)!r} is of a sweep over two knobs: draw it with "
                                    "regimes.py")
    return found


def _load(path):
    found = input_file.load(path, KIND)
    if not found["cells"]:
        raise input_file.InputError(f"{str(path)!r} holds no cell yet, so there is nothing to "
                                    "draw: run the sweep further")
    return found


def intervals(found):
    """Returns what the intervals cover, in words: visits have processes of their own since version
    3."""
    visits = {cell["visits"] for cell in found["cells"] if cell["status"] == "ok"}
    if found["schema_version"] < 3 or visits <= {1}:
        return "95% intervals in this process"
    fewest, most = min(visits), max(visits)
    return f"95% intervals over {f'{fewest} to ' * (fewest < most)}{most} processes"


def curve(found, variant):
    """Median, low and high by the position of the value, in µs or µs per byte, where the variant
    has times."""
    points = {}
    for cell in sorted(found["cells"], key=lambda cell: cell["column"]):
        times = cell["variants"].get(variant) if cell["status"] == "ok" else None
        if times:
            per = cell["workload"]["bytes"] if found["merit"] == PER_BYTE else 1
            points[cell["column"]] = [times[key] / per for key in
                                      ("wall_us", "wall_low_us", "wall_high_us")]
    return points


def tier_of(found, variant):
    """The tier of one of the sweep's variants, in the words of tiers.TIERS."""
    return dict(zip(found["variants"], found["tiers"]))[variant]
