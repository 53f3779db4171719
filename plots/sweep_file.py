"""Reads and checks the files of sweeps: maps of regimes, and curves."""
import input_file
from results_check import RATIO

SCHEMA, VERSION = "trilane-sweep", 2
PER_BYTE = "wall time per byte of input"

_AXIS = {"knob": str, "unit": str, "values": [float]}
_CELL = {"column": float, "row": float, "status": str, "reason": str}
_FILE = {"context": {"gpu": dict, "simulated": str}, "workload": str, "mode": str,
         "reference": str, "columns": _AXIS, "variants": [str], "tiers": [str], "letters": [str],
         "cells": [_CELL], "borders": [{"words": str}], "merit": str, "curves": dict,
         "findings": [str]}
_OK = {"winner": str, "tied": [str], "variants": dict, "workload": {"bytes": float}}
_TIMES = {"wall_us": float, "wall_low_us": float, "wall_high_us": float}
_SPAN = {"first": float, "last": float}
_OPTIMUM = {"best": float, "within": _SPAN, "perhaps": _SPAN, "further": str}


def load_map(path):
    """The checked map in the file at `path`; raises InputError."""
    found = _load(path)
    if "rows" not in found:
        raise input_file.InputError(f"{str(path)!r} is of a sweep over one knob: draw it with "
                                    "curves.py")
    return found


def load_curves(path):
    """The checked sweep over one knob in the file at `path`; raises InputError."""
    found = _load(path)
    if "rows" in found:
        raise input_file.InputError(f"{str(path)!r} is of a sweep over two knobs: draw it with "
                                    "regimes.py")
    return found


def _load(path):
    found = input_file.document(path, SCHEMA, (VERSION,), "sweep",
                                "name a file written by trilane sweep with --json")
    _check_all(found, repr(str(path)))
    return found


def _check_all(found, name):
    input_file.check(found, _FILE, name)
    input_file.check(found.get("rows"), (_AXIS,), f"{name}.rows")
    if not found["cells"]:
        raise input_file.InputError(f"{name} holds no cell yet, so there is nothing to draw: "
                                    "run the sweep further")
    for key, curve in found["curves"].items():
        place = f"{name}: curves.{key}.optimum"
        input_file.check(curve.get("optimum"), (_OPTIMUM,), place)
        if curve.get("optimum"):
            _check_place(curve["optimum"]["best"], found["columns"], f"{place}.best", "columns")
    for key in ("letters", "tiers"):
        if len(found[key]) != len(found["variants"]):
            raise input_file.wrong(f"{name}.{key}", "as long as the variants", found[key])
    for index, cell in enumerate(found["cells"]):
        _check_cell(found, cell, f"{name}: cells[{index}]")


def _check_place(position, axis, place, key):
    if position not in range(len(axis["values"])):
        raise input_file.wrong(place, f"the place of a value in {key}", position)


def _check_cell(found, cell, place):
    _check_place(cell["column"], found["columns"], f"{place}.column", "columns")
    _check_place(cell["row"], found.get("rows", {"values": [0]}), f"{place}.row", "rows")
    if cell["status"] != "ok":
        return
    input_file.check(cell, _OK, place)
    if cell["winner"] not in found["variants"]:
        raise input_file.wrong(f"{place}.winner", "one of the variants", cell["winner"])
    for variant, times in cell["variants"].items():
        input_file.check(times, _TIMES, f"{place}.variants.{variant}")
    for key in ("over_runner_up", "over_reference"):
        if key in cell:
            input_file.check(cell[key], RATIO, f"{place}.{key}")


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
