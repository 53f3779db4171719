"""Reads the diagnosis of a recorded application: where the time of one iteration goes."""
import input_file
from description import COUNT, TEXT, TIME, Number, OneOf
from results_check import SHORT

USES = ("own code", "launching", "waiting", "allocating", "blocking copy", "other calls",
        "launch latency", "stream order", "event order", "legacy order",
        "graph order")
PARTS = ("host call", "own code", "return from a wait", "kernel", "copy", "memset",
         "other operation", "launch latency", "order", "engine")
_SHARE = Number(0, 1e9)  # of the iteration, or of the path
_USE = {"use": OneOf(USES), "us": TIME, "share": _SHARE, "count": COUNT}
_PART = {"kind": OneOf(PARTS), "name": TEXT, "us": TIME, "share": _SHARE, "count": COUNT}
KIND = input_file.Kind(
    "trilane diagnosis", (1,), "diagnosis", "trilane diagnose --json",
    {"application": TEXT, "machine": {"gpu": SHORT, "driver": SHORT, "cuda": SHORT},
     "found": OneOf(("repeats", "range", "none")), "calls": COUNT, "iterations": COUNT,
     "period_us": TIME, "device": ({"busy_us": TIME, "idle_us": TIME, "causes": [_USE]},),
     "host": [_USE], "path": [_PART], "notes": [TEXT],
     "graph": {"calls": COUNT, "host_us": TIME}})


def load(path):
    """The checked diagnosis in the file at `path`; raises InputError."""
    return input_file.load(path, KIND)


def simulated(found):
    """Whether the application ran on the simulated device."""
    return found.get("simulated") is True


def own_code_us(found):
    """The time of an iteration in which the application's own code runs on the host."""
    return sum(use["us"] for use in found["host"] if use["use"] == "own code")
