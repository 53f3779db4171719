"""Checks what the scripts read of a results file."""
import tiers
from input_file import ANY, InputError, check, wrong

CLOCKS = ("submit", "device", "wall")
STATES = ("ok", "failed", "not supported", "not run")
# The shape of what the pictures read; see input_file.check.
WORKLOAD = {"name": str, "bytes": float, "chunk_bytes": float, "result_bytes": float,
            "chunks": float, "lanes": float, "depth": float}
_MEASUREMENT = {"variant": str, "status": str, "message": str, "bound_us": (float,),
                "efficiency": (float,), "bound_by": (str,)}
RATIO = {"estimate": float, "low": float, "high": float}
_WINNER = {"tier": str, "variant": str, "ratio": (RATIO,), "tied": [str]}
_COMPARISON = {"workload": WORKLOAD, "mode": str, "reference": str, "verdict": str,
               "winners": ([_WINNER],), "measurements": [_MEASUREMENT],
               "advice": ({"use": str, "over": str, "ratio": (RATIO,)},)}
_FILE = {"context": {"gpu": dict, "simulated": str}, "comparisons": [_COMPARISON],
         "answers": ([{"question": str, "text": str}],), "doubts": ([str],)}
_SUMMARY = {"median": float, "q1": float, "q3": float}
_TIMES = {"samples": {"wall_us": [float]}, **{clock: _SUMMARY for clock in CLOCKS}}
_PRICE = {"setup_us": [float], "passes_us": [[float]], "teardown_us": [float],
          "device_bytes": [float], "phases": dict, "priming_us": list,
          "pool_used_high_bytes": (float,), "pool_reserved_high_bytes": (float,),
          "graph_reserved_bytes": (float,)}
_MODEL = {"issuer": str, "chaining": str, "scratch": str, "mover": str}
_LIMIT = {"bound_us": float}
_TIMELINE = {"event_us": [ANY], "before_us": [ANY], "span_us": [ANY], "after_us": [ANY],
             "untraced_us": ([ANY],), "operations": dict, "planned": dict,
             "overlap": [{"of": str, "with": str, "share": ANY}],
             "busy": [{"engine": str, "us": ANY, "share": ANY}],
             "idle": [{"engine": str, "host_us": ANY, "dependency_us": ANY,
                       "latency_us": ANY, "done_us": ANY}],
             "waits": [{"activity": str, "host_us": ANY, "engine_us": ANY,
                        "dependency_us": (ANY,), "latency_us": ANY}]}


def check_all(results, name):
    """Raises InputError, with the place, where `results` from the file `name` are not as they are
    read."""
    check(results, _FILE, name)
    if not results["comparisons"]:
        raise InputError(f"{name} holds no comparison, so there is nothing to draw: run trilane "
                         "on at least one preset")
    for c, comparison in enumerate(results["comparisons"]):
        if "limit" in comparison:
            check(comparison["limit"], _LIMIT, f"{name}: comparisons[{c}].limit")
        for m, measurement in enumerate(comparison["measurements"]):
            place = f"{name}: comparisons[{c}].measurements[{m}]"
            if measurement["status"] not in STATES:
                raise wrong(f"{place}.status", "one of " + ", ".join(STATES),
                            measurement["status"])
            if measurement["status"] == "ok":
                check(measurement, _TIMES, place)
            if results["schema_version"] >= 4:
                check(measurement, {"plan": {"model": _MODEL}}, place)
            if "timeline" in measurement:
                check(measurement["timeline"], _TIMELINE, f"{place}.timeline")
            if "price" in measurement:
                check(measurement["price"], _PRICE, f"{place}.price")
                passes = measurement["price"]["passes_us"]
                if not passes or not all(passes):
                    raise wrong(f"{place}.price.passes_us", "lists of times", passes)
                for phase, times in measurement["price"]["phases"].items():
                    check(times, [float], f"{place}.price.phases.{phase}")
            if "ratio" in measurement:
                _check_ratio(measurement["ratio"], f"{place}.ratio")
        _check_decision(comparison, f"{name}: comparisons[{c}]")


def _check_ratio(ratio, place):
    check(ratio, RATIO, place)
    if not min(ratio["estimate"], ratio["high"]) > 0:  # for a low end of 0 see ratios.py
        raise wrong(place, "above 0", ratio)


def _check_decision(comparison, place):
    timed = {m["variant"] for m in comparison["measurements"] if m["status"] == "ok"}
    if (comparison.get("advice") or {}).get("ratio"):
        _check_ratio(comparison["advice"]["ratio"], f"{place}.advice.ratio")
    for index, winner in enumerate(comparison.get("winners") or ()):
        for key, known in (("tier", tiers.TIERS), ("variant", sorted(timed))):
            if winner[key] not in known:
                raise wrong(f"{place}.winners[{index}].{key}", "one of " + ", ".join(known),
                            winner[key])
        if winner.get("ratio"):
            _check_ratio(winner["ratio"], f"{place}.winners[{index}].ratio")
