"""Finds comparisons of one workload with several numbers of chunks."""
import input_file
import results as results_file

_LIMIT = {"bound_us": float}
_BEST = {"chunks": float, "bound_us": float}


def all_series(results):
    """Lists of comparisons that differ only in the number of chunks, sorted by it; raises
    InputError if there is none."""
    found = {}
    for number, comparison in enumerate(results["comparisons"]):
        workload = comparison["workload"]
        if "limit" in comparison:
            place = f"comparisons[{number}].limit"
            input_file.check(comparison["limit"], _LIMIT, place)
            if "best" in comparison["limit"]:
                input_file.check(comparison["limit"]["best"], _BEST, f"{place}.best")
        same = results_file.label(workload), *(workload.get(key) for key in (
            "bytes", "lanes", "depth", "rounds", "order"))
        found.setdefault(same, {})[workload["chunks"]] = comparison
    series = [[by_chunks[chunks] for chunks in sorted(by_chunks)]
              for by_chunks in found.values() if len(by_chunks) > 1]
    if not series:
        raise input_file.InputError(
            "no workload has several numbers of chunks at one size: run trilane with both, like "
            "--preset transfer --size 256M --chunks 1..128")
    return series


def shape(workload):
    lanes = int(workload["lanes"])
    return f"{results_file.size_text(workload['bytes'])} in all, {lanes} lane{'s' * (lanes != 1)}"
