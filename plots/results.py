"""Reads and checks results files and puts them into words."""
from input_file import ANY, InputError, check, document, wrong

SCHEMA, VERSION = "trilane-results", 5
CLOCKS = ("submit", "device", "wall")
STATES = ("ok", "failed", "not supported", "not run")

# The shape of what the pictures read; see input_file.check.
WORKLOAD = {"name": str, "bytes": float, "chunk_bytes": float, "result_bytes": float,
            "chunks": float, "lanes": float, "depth": float}
_MEASUREMENT = {"variant": str, "status": str, "message": str, "bound_us": (float,),
                "efficiency": (float,), "bound_by": (str,)}
_COMPARISON = {"workload": WORKLOAD, "mode": str, "reference": str, "verdict": str,
               "measurements": [_MEASUREMENT]}
_FILE = {"context": {"gpu": dict, "simulated": str}, "comparisons": [_COMPARISON]}
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
RATIO = {"estimate": float, "low": float, "high": float}


def load(path):
    """The checked results in the file at `path`; raises InputError."""
    results = document(path, SCHEMA, range(1, VERSION + 1), "results",
                       "name a results file written by trilane --json")
    if results["schema_version"] == 1 and isinstance(results.get("context"), dict):
        results["context"]["simulated"] = ""  # version 1 had measured times only
    _check_all(results, repr(str(path)))
    return results


def _check_all(results, name):
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
                check(measurement["ratio"], RATIO, f"{place}.ratio")
                if not min(measurement["ratio"][key] for key in RATIO) > 0:
                    raise wrong(f"{place}.ratio", "above 0", measurement["ratio"])


def variants(results):
    """The names of all variants, in the order of their first appearance."""
    return list(dict.fromkeys(measurement["variant"] for comparison in results["comparisons"]
                              for measurement in comparison["measurements"]))


def label(workload):
    """"launch", "launch, modified", "launch, pageable"; before version 3 all memory was pinned."""
    memory = workload.get("host_memory", "pinned")
    return (workload["name"] + (", modified" if workload.get("modified") else "")
            + (f", {memory}" if memory != "pinned" else ""))


def shape(workload):
    """"16 chunks × 4 MiB → 4 KiB, 4 lanes": the result only if it is shorter than a chunk."""
    chunks, lanes, depth = (int(workload[key]) for key in ("chunks", "lanes", "depth"))
    words = f"{chunks} chunk{'s' * (chunks != 1)} × {size_text(workload['chunk_bytes'])}"
    if workload["result_bytes"] < workload["chunk_bytes"]:
        words += f" → {size_text(workload['result_bytes'])}"
    words += f", {lanes} lane{'s' * (lanes != 1)}"
    return words + (f", depth {depth}" if depth > 1 else "")


def size_text(size):
    """"4 MiB"."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} GiB"


def simulated(results):
    """The profile of simulated times; empty if they were measured."""
    return results["context"]["simulated"]


def machine(results):
    """"NVIDIA H200 · latency mode"; see gpu()."""
    modes = dict.fromkeys(comparison["mode"] for comparison in results["comparisons"])
    return f"{gpu(results['context'])} · {', '.join(modes)} mode"


def gpu(context):
    """"NVIDIA H200", or "simulated, NVIDIA H200 (profile of 2026-11-21)"."""
    return (f"simulated, {context['simulated']}" if context["simulated"]
            else context["gpu"].get("name") or "unnamed GPU")


def origin(results):
    """Time, driver, CUDA and revision of the run, as far as the file states them, in one line."""
    context = results["context"]
    facts = context["gpu"]
    revision = str(context.get("git_revision") or "")
    parts = [str(context.get("started") or "")[:16].replace("T", " ") + " UTC",
             facts.get("driver_version") and f"driver {facts['driver_version']}",
             facts.get("cuda_runtime_version") and f"CUDA {facts['cuda_runtime_version']}",
             f"Trilane {context.get('tool_version') or ''} {revision}".strip()]
    return " · ".join(part for part in parts if part and part != " UTC")
