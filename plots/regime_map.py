"""Reads and checks maps of regimes and puts them into words."""
import input_file
import results as results_file
from results_check import RATIO

SCHEMA, VERSION = "trilane-sweep", 1

_AXIS = {"knob": str, "unit": str, "values": [float]}
_CELL = {"column": float, "row": float, "status": str, "reason": str}
_FILE = {"context": {"gpu": dict, "simulated": str}, "workload": str, "mode": str,
         "reference": str, "columns": _AXIS, "rows": _AXIS, "variants": [str], "letters": [str],
         "cells": [_CELL], "borders": [{"words": str}]}
_OK = {"winner": str, "tied": [str], "variants": dict}


def load(path):
    """The checked map in the file at `path`; raises InputError."""
    found = input_file.document(path, SCHEMA, range(VERSION, VERSION + 1), "map",
                                "name a map written by trilane sweep with --json")
    _check_all(found, repr(str(path)))
    return found


def _check_all(found, name):
    input_file.check(found, _FILE, name)
    if not found["cells"]:
        raise input_file.InputError(f"{name} holds no cell yet, so there is nothing to draw: "
                                    "run the sweep further")
    for index, cell in enumerate(found["cells"]):
        place = f"{name}: cells[{index}]"
        for key, axis in (("column", "columns"), ("row", "rows")):
            if cell[key] not in range(len(found[axis]["values"])):
                raise input_file.wrong(f"{place}.{key}", f"the place of a value in {axis}",
                                       cell[key])
        if cell["status"] != "ok":
            continue
        input_file.check(cell, _OK, place)
        if cell["winner"] not in found["variants"]:
            raise input_file.wrong(f"{place}.winner", "one of the variants", cell["winner"])
        for key in ("over_runner_up", "over_reference"):
            if key in cell:
                input_file.check(cell[key], RATIO, f"{place}.{key}")


def value(axis, number):
    """"64 KiB", "16", "40 µs": a value of that axis."""
    if axis["unit"] == "us":
        return f"{number:g} µs" if number < 1000 else f"{number / 1000:g} ms"
    return results_file.size_text(number) if axis["unit"] == "bytes" else f"{number:g}"


def caption(axis):
    """"chunk size (bytes)"."""
    units = {"bytes": " (bytes)", "us": " (time of one kernel)"}
    return axis["knob"].replace("-", " ") + units.get(axis["unit"], " (number)")


def winners(found):
    """The variants that win a cell, in the order of the file."""
    won = {cell["winner"] for cell in found["cells"] if cell["status"] == "ok"}
    return [variant for variant in found["variants"] if variant in won]


def gain(cell):
    """The winner's speed over the runner-up; 1 if it ran alone."""
    return cell.get("over_runner_up", {}).get("estimate", 1.0)


def machine(found):
    """"NVIDIA H200 · latency mode"."""
    return f"{results_file.gpu(found['context'])} · {found['mode']} mode"
