"""Holds what the scripts need of a results file, beyond the program's schema of it: see
schema.py."""
import functools

from plain_text import cut
from rules import as_long, filled, rising, unlike
from schema import (FACTOR, LASTING, LOW_FACTOR, NAME, SHORT, SOME, TIME, list_of, map_of, members,
                    printed, text, without)

CLOCKS = ("submit", "device", "wall")
# The members that each version added, which older files may lack.
_ADDED = {2: ("simulated",),
          3: ("wait", "slow_down", "processes", "host_memory", "pool", "maps_host", "host_threads",
              "process"),
          4: ("model",),
          5: ("answers", "doubts", "winners", "not_modelled", "covers", "prediction", "host_us",
              "set_aside"),
          7: ("mean",)}


def _where(properties, **more):
    """Further rules for those members of an object that are there."""
    return {"properties": properties, **more}


_OF_FILE = printed("results")["properties"]
_OF_COMPARISON = _OF_FILE["comparisons"]["items"]["properties"]
_OF_MEASUREMENT = _OF_COMPARISON["measurements"]["items"]["properties"]
STATES = _OF_MEASUREMENT["status"]["enum"]

RATIO = members({"estimate": FACTOR, "low": LOW_FACTOR, "high": FACTOR},
                rules=[rising("low", "estimate", "high")])
_CONTEXT = _where({"gpu": _where(dict.fromkeys(("name", "driver_version", "cuda_runtime_version"),
                                               SHORT))})
_PIPELINE = _where({"name": NAME, "chunks": SOME, "lanes": SOME, "depth": SOME})
_WORKLOAD = {"which": lambda workload: None if "application" in workload else _PIPELINE,
             "properties": {"name": text(1, 200)}}
CONTEXT, WORKLOAD = ({"allOf": [shape, more]} for shape, more in (
    (_OF_FILE["context"], _CONTEXT), (_OF_COMPARISON["workload"], _WORKLOAD)))

_IN_ORDER = [rising("low", "passes", "high")]
_BREAK_EVEN = _where({"crossing": {"rules": _IN_ORDER}}, rules=_IN_ORDER)
_SUMMARY = {"rules": [rising("min", "q1", "median", "q3"), rising("median", "p99")]}
_TIMED = members({clock: _OF_MEASUREMENT[clock] for clock in CLOCKS})
_FILLED = {"rules": [filled]}
_PRICE = _where({"setup_us": _FILLED, "passes_us": _FILLED, "phases": map_of(list_of(TIME))},
                rules=[as_long("setup_us", "passes_us", "teardown_us", "device_bytes", "phases")])
_MEASUREMENT = _where(
    {"variant": NAME, "ratio": RATIO, "break_even": _BREAK_EVEN, "price": _PRICE,
     "submit": _SUMMARY, "device": _SUMMARY,
     "wall": _where(dict.fromkeys(("mean", "median", "q1", "q3", "min", "p99"), LASTING))
     | _SUMMARY,
     "timeline": _where(dict.fromkeys(("event_us", "before_us", "span_us", "after_us"), _FILLED))},
    which=lambda measurement: _TIMED if measurement["status"] == "ok" else None)


def _known(comparison):
    """Names of variants are those of measurements; the winners' have times."""
    timed = [m["variant"] for m in comparison["measurements"] if m["status"] == "ok"]
    names = [m["variant"] for m in comparison["measurements"]]
    found = [(f".winners[{place}].variant", winner["variant"], timed)
             for place, winner in enumerate(comparison.get("winners") or ())]
    advice = comparison.get("advice") or {}
    found += [(".advice.use", advice["use"], names)] if advice.get("use") else []
    found += [(".reference", comparison["reference"], names)] if comparison["reference"] else []
    for place, name, known in found:
        if name not in known:
            yield place, "one of " + (cut(", ".join(sorted(known)), 400) or "no variants"), name


_COMPARISON = _where(
    {"workload": _WORKLOAD, "limit": _where({"bound_us": LASTING}),
     "winners": {"items": _where({"ratio": RATIO})},
     "advice": _where({"ratio": RATIO, "break_even": _BREAK_EVEN}),
     "measurements": {"items": _MEASUREMENT,
                      "rules": [unlike("variant", lambda found: found["variant"])]}},
    rules=[_known])
_MORE = _where({"context": _CONTEXT, "comparisons": {"items": _COMPARISON, "rules": [filled]}})


@functools.cache
def file(version):
    """The schema of a file of that version."""
    later = {name for since, names in _ADDED.items() if since > version for name in names}
    return {"allOf": [without(printed("results"), later), _MORE]}

