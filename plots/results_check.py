"""Describes what the scripts read of a results file; see description.py."""
import tiers
from description import (BYTES, COUNT, DIFFERENCE, FACTOR, LASTING, LOW_FACTOR, NAME, SOME, TEXT,
                         TIME, Map, Number, OneOf, Rules, Text, When)
from plain_text import cut
from rules import as_long, filled, rising, unlike

CLOCKS = ("submit", "device", "wall")
STATES = ("ok", "failed", "not supported", "out of memory", "not run")
SHORT = Text(0, 200)
_NAME_OR_NONE = Text(0, NAME.most, name=True)
APPLICATION = Text(1, 200)  # its name: the command line
_PIPELINE = {"name": NAME, "bytes": BYTES, "chunk_bytes": BYTES, "result_bytes": BYTES,
             "chunks": SOME, "lanes": SOME, "depth": SOME, "host_memory": (NAME,),
             "stride": (BYTES,)}
_REPLAYED = {"name": APPLICATION, "application": {
    "calls": COUNT, "kernels": COUNT, "copies": COUNT, "memsets": COUNT, "waits": COUNT,
    "streams": COUNT}}
WORKLOAD = Rules({}, [When(lambda workload: "application" in workload, _REPLAYED),
                      When(lambda workload: "application" not in workload, _PIPELINE)])
RATIO = Rules({"estimate": FACTOR, "low": LOW_FACTOR, "high": FACTOR, "covers": (SHORT,)},
              [rising("low", "estimate", "high")])
CONTEXT = {"gpu": {"name": (SHORT,), "driver_version": (SHORT,), "cuda_runtime_version": (SHORT,)},
           "simulated": SHORT, "started": (SHORT,), "git_revision": (SHORT,),
           "tool_version": (SHORT,), "command_line": (TEXT,), "notes": ([TEXT],)}
_PASSES = Number(0, 1e18)
_SPAN = {"passes": (_PASSES,), "low": (_PASSES,), "high": (_PASSES,)}
_IN_ORDER = [rising("low", "passes", "high")]
_BREAK_EVEN = Rules({**_SPAN, "pays": OneOf(("at once", "later", "at first", "never")),
                     "crossing": (Rules(_SPAN, _IN_ORDER),)}, _IN_ORDER)
_MODEL = {"issuer": NAME, "chaining": NAME, "scratch": NAME, "mover": NAME}
_PLAN = {"model": (_MODEL,), "calls": (Map(COUNT),), "nodes": (Map(COUNT),)}


def _summary(least):
    """The rules for one clock. Host and device times may be 0; a wall time may not."""
    return Rules({"mean": least, "median": least, "q1": least, "q3": least, "min": (least,), "p99": (least,)},
                 [rising("min", "q1", "median", "q3"), rising("median", "p99")])


_TIMES = {"samples": {"wall_us": [LASTING]},
          **{clock: _summary(LASTING if clock == "wall" else TIME) for clock in CLOCKS}}
_PRICE = Rules(
    {"setup_us": Rules([TIME], [filled]), "passes_us": Rules([[TIME]], [filled]),
     "priming_us": [DIFFERENCE], "teardown_us": [TIME], "device_bytes": [BYTES],
     "phases": Map([TIME]),
     "pool_used_high_bytes": (BYTES,), "pool_reserved_high_bytes": (BYTES,),
     "graph_reserved_bytes": (BYTES,)},
    [as_long("setup_us", "passes_us", "teardown_us", "device_bytes", "phases")])
_MEDIAN = Rules([DIFFERENCE], [filled])
_TIMELINE = {"event_us": _MEDIAN, "before_us": _MEDIAN, "span_us": _MEDIAN, "after_us": _MEDIAN,
             "untraced_us": ([DIFFERENCE],), "operations": Map(COUNT), "planned": Map(COUNT),
             "overlap": [{"of": NAME, "with": NAME, "share": DIFFERENCE}],
             "busy": [{"engine": NAME, "us": DIFFERENCE, "share": DIFFERENCE}],
             "idle": [{"engine": NAME, "host_us": DIFFERENCE, "dependency_us": DIFFERENCE,
                       "latency_us": DIFFERENCE, "done_us": DIFFERENCE}],
             "waits": [{"activity": NAME, "host_us": DIFFERENCE, "engine_us": DIFFERENCE,
                        "dependency_us": (DIFFERENCE,), "latency_us": DIFFERENCE}]}
_MEASUREMENT = {"variant": NAME, "status": OneOf(STATES), "message": TEXT, "bound_us": (TIME,),
                "efficiency": (Number(0, 1e9),), "bound_by": (SHORT,), "plan": (_PLAN,),
                "timeline": (_TIMELINE,), "price": (_PRICE,), "ratio": (RATIO,),
                "break_even": (_BREAK_EVEN,)}
_WINNER = {"tier": OneOf(tiers.TIERS), "variant": NAME, "ratio": (RATIO,), "tied": [NAME]}
_ADVICE = {"use": _NAME_OR_NONE, "over": _NAME_OR_NONE, "ratio": (RATIO,),
           "break_even": (_BREAK_EVEN,), "device_bytes": (BYTES,), "limited_by": (SHORT,),
           "next": (TEXT,)}


_TIMED = When(lambda measurement: measurement["status"] == "ok", _TIMES)


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


_COMPARISON = Rules(
    {"workload": WORKLOAD, "mode": NAME, "reference": _NAME_OR_NONE, "verdict": TEXT,
     "regime": (TEXT,), "host_us": (TIME,), "limit": ({"bound_us": LASTING, "bound_by": (SHORT,),
                                   "calls_us": (Map(TIME),)},),
     "winners": ([_WINNER],), "advice": (_ADVICE,),
     "measurements": Rules([Rules(_MEASUREMENT, [_TIMED])],
                           [unlike("variant", lambda found: found["variant"])])}, [_known])
_FILE = {"context": CONTEXT, "comparisons": Rules([_COMPARISON], [filled]),
         "answers": ([{"question": TEXT, "text": TEXT}],), "doubts": ([TEXT],)}


# Files state the models of variants since version 4.
_MODELLED = When(lambda results: results["schema_version"] >= 4,
                 {"comparisons": [{"measurements": [{"plan": {"model": _MODEL}}]}]})
FILE = Rules(_FILE, [_MODELLED])
