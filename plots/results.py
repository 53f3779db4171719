"""Reads results files and puts them into words."""
import input_file
import results_check


def _upgrade(results):
    """Version 1 had measured times only; before version 7 the medians of passes stood for what a
    pass takes; the first files of several GPUs lacked one process for all."""
    context = results.get("context")
    if results["schema_version"] == 1 and isinstance(context, dict):
        context["simulated"] = ""
    for comparison in _list(results, "comparisons"):
        placement = comparison.get("placement") if isinstance(comparison, dict) else None
        if isinstance(placement, dict):
            placement.setdefault("one_process", False)
    if results["schema_version"] < 7:
        for summary in _summaries(results):
            if "median" in summary:
                summary.setdefault("mean", summary["median"])


def _summaries(results):
    """The summaries of all clocks, as far as there are any."""
    for comparison in _list(results, "comparisons"):
        for measurement in _list(comparison, "measurements"):
            for clock in results_check.CLOCKS:
                summary = measurement.get(clock) if isinstance(measurement, dict) else None
                if isinstance(summary, dict):
                    yield summary


def _list(value, key):
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


KIND = input_file.Kind("trilane-results", range(1, 8), "results", "trilane --json",
                       results_check.file, _upgrade)

_CALLED = {  # names in one iteration of an application
    "calls": ("call", "calls"), "kernels": ("kernel", "kernels"), "copies": ("copy", "copies"),
    "memsets": ("memset", "memsets"), "waits": ("host wait", "host waits"),
    "streams": ("stream", "streams")}


def load(path):
    """The checked results in the file at `path`; raises InputError."""
    return input_file.load(path, KIND)


def variants(results):
    """The names of all variants, in the order of their first appearance."""
    return list(dict.fromkeys(measurement["variant"] for comparison in results["comparisons"]
                              for measurement in comparison["measurements"]))


def replayed(workload):
    """Returns true if it is a recorded application's iteration, which was run again as it is and
    changed, and not a pipeline."""
    return "application" in workload


def all_replayed(results):
    return all(replayed(comparison["workload"]) for comparison in results["comparisons"])


def unit(results):
    """Returns what was timed: "pass", "iteration" of an application."""
    return "iteration" if all_replayed(results) else "pass"


def label(workload):
    """"launch", "launch, modified", "launch, pageable"; before version 3 all memory was pinned."""
    memory = workload.get("host_memory", "pinned")
    gpus = min(len(workload["gpus"]), workload["chunks"]) if "gpus" in workload else 0
    return (workload["name"] + (", modified" if workload.get("modified") else "")
            + (f", split over {gpus} GPUs" if gpus else "")
            + (f", {memory}" if memory != "pinned" else ""))


def shape(workload):
    """"16 chunks × 4 MiB → 4 KiB, 4 lanes": the result only if it is shorter than a chunk. "9 calls:
    2 kernels, 3 copies, ..." for an application."""
    if replayed(workload):
        return _calls(workload["application"])
    chunks, lanes, depth = (int(workload[key]) for key in ("chunks", "lanes", "depth"))
    words = f"{chunks} chunk{'s' * (chunks != 1)} × {size_text(workload['chunk_bytes'])}"
    own = "pipeline" not in workload
    if workload["result_bytes"] < workload["chunk_bytes"] or not own:
        words += f" → {size_text(workload['result_bytes'])}"
    words += f", {lanes} lane{'s' * (lanes != 1)}"
    if own:
        words += f", depth {depth}" if depth > 1 else ""
    else:
        words += f", {depth} kernel{'s' * (depth != 1)}"
    stride = workload.get("stride")  # before gaps existed, no file stated one
    return words + (f", stride {size_text(stride)}" if stride else "")


def _calls(application):
    parts = [f"{application[key]} {noun[application[key] != 1]}" for key, noun in _CALLED.items()]
    return f"{parts[0]}: {', '.join(parts[1:-1])}; {parts[-1]}"


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
    """"NVIDIA H200 · latency mode", "NVIDIA H200 · an application, replayed"; see gpu()."""
    if all_replayed(results):
        return f"{gpu(results['context'])} · an application, replayed"
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
    revision = context.get("git_revision") or ""
    parts = [(context.get("started") or "")[:16].replace("T", " ") + " UTC",
             facts.get("driver_version") and f"driver {facts['driver_version']}",
             facts.get("cuda_runtime_version") and f"CUDA {facts['cuda_runtime_version']}",
             f"Trilane {context.get('tool_version') or ''} {revision}".strip()]
    return " · ".join(part for part in parts if part and part != " UTC")
