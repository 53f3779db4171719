#!/usr/bin/env python3
"""Compares the ratios that `trilane run` and `trilane sweep` print with those of plain programs.

FOLDER has trilane and truth/, one plain program for each of nine variants, with no code of
Trilane's except its kernels. Without FOLDER it is the folder of this script, as the install
component gpu-tests lays it out. Runs `trilane run` once, on all presets and the nine variants, and
the plain programs, each in fresh processes, in turn, in an order shuffled from a seed: half of them
before the run, and half after it, because a host's speed drifts. Prints for each ratio the figure
of Trilane with its 95% interval, the ratio of what a pass of the plain programs takes with its
standard error, by how much the two differ, and whether the interval contains the plain ratio. The
ratios of a run are over its reference, those of a sweep over the best variant of a point. Shapes
that are no preset are written as the plain programs take them:
CHUNKS,IN_BYTES,OUT_BYTES,LANES,DEPTH,ROUNDS.

What a pass of a plain program takes is the median over its processes of the mean over the passes
that were not interrupted: what to expect of a process, whatever the host did to some of them.

--gpus reads results of `trilane run --device all` instead (--results), and runs the plain programs
of their variants on each GPU alone, on all at once in a process each, and on all in one process
with a host thread each. Prints by how much a pass takes longer at once, and in one process, by
Trilane and by the plain programs, each with its standard error. Then has a line for each thing
that the answer "GPUs?" advises: how long what it does not name takes over what it names, by the
plain programs, and whether the advice is kept: nothing is clearly faster.

--split reads results of `trilane run --split` instead (--results). The plain programs of a pass on
the first GPU know no other GPU, and have processes of their own; so have those of the split pass,
and of a pass on the first GPU in a process that has opened all. Prints how many times as fast the
split pass is, by Trilane with its interval and by the plain programs, over the first; then the
plain speed over the last, and by how much longer that takes than the first. For each of them it
prints what a pass takes, in us.

--json FILE writes all of this: context (as in the results, with this command line), seed,
processes, time_ms, seconds, rows (preset, variant, over, printed, plain, standard_error, off,
lies), programs (preset, variant, us: of each process, spread: median share of the median between
its quartiles, setup_us; trilane_us: of each process of Trilane) and failed. `off` is printed over
plain, less 1. The plain ratio lies "inside" of the interval, "outside", or "far outside": more than
4% off, and the interval is narrower.

Exit codes: 0 compared, whatever the figures say; 1 wrong data or a failed program; 2 usage; 3 no
usable GPU; 4 not supported; 5 output could not be written; 130 interrupted.
"""
import argparse
import collections
import functools
import gzip
import json
import math
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

VARIANTS = ("streams", "graph", "pool", "malloc", "threads", "engines", "graph_coalesced",
            "graph_kernels", "fused")
PRESETS = ("launch", "transfer", "balanced", "compute", "reduce", "search")
REWRITTEN = ("graph_kernels", "fused")  # the others keep an application's operations
# The program for one GPU, and the one for several.
SPLIT = {"streams": ("streams", "split_streams"), "graph": ("graph", "split_graph"),
         "graph:each": ("graph", "split_graph_each")}
WIDEST_OFF = 0.04  # for a point estimate with a narrower interval
LIMIT_S = 120      # for one process of a plain program
INTERRUPTED_FROM = 3  # times the median of a process: a longer pass was interrupted
UNITS_MS = {"us": 1e-3, "ms": 1, "s": 1000}

# `preset` is its name, or a shape written out; `over` is the variant in the denominator of the
# ratio.
Printed = collections.namedtuple("Printed", "preset variant over ratio")
Row = collections.namedtuple("Row", "preset variant over printed plain standard_error off lies")


class Ends(Exception):
    """Ends the script with a line and an exit code."""

    def __init__(self, words, code=2):
        super().__init__(words)
        self.code = code


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Ends(f"{message}; see --help")


def arguments():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, metavar="FOLDER",
                        default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("--presets", type=presets, default=PRESETS, metavar="NAME,...")
    parser.add_argument("--points", type=int, metavar="N",
                        help="of the shapes in the results, drawn from the seed (all)")
    parser.add_argument("--processes", type=int, default=10, metavar="N",
                        help="of each plain program on each preset (10)")
    parser.add_argument("--time", type=milliseconds, default=100, metavar="TIME",
                        help="measuring time of each of them (100ms)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE",
                        help="of an earlier run or sweep, instead of a new run")
    parser.add_argument("--gpus", action="store_true",
                        help="compare what several GPUs cost each other; needs --results")
    parser.add_argument("--split", action="store_true",
                        help="compare what splitting a pass gains; needs --results")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    given = parser.parse_args()
    if not 1 <= given.processes <= 9999:
        parser.error(f"--processes {given.processes} is not from 1 to 9999")
    for option in ("gpus", "split"):
        if getattr(given, option) and (not given.results or given.json):
            parser.error(f"--{option} needs --results, and writes no --json")
    if given.points is not None and given.points < 1:
        parser.error(f"--points {given.points} is below 1")
    return given


def presets(text):
    names = text.split(",")
    if set(names) <= set(PRESETS) and len(set(names)) == len(names):
        return tuple(names)
    raise argparse.ArgumentTypeError(f"{text!r} is not some of {','.join(PRESETS)}, once each")


def milliseconds(text):
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(us|ms|s)", text)
    value = float(found[1]) * UNITS_MS[found[2]] if found else 0
    if not 0 < value <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time up to 10s, like 100ms")
    return value


def results_of(given, folder):
    """The results of `trilane run`, read or run now."""
    if given.results:
        return read_results(given.results)
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "results.json"
        command = [folder / "trilane", "run", "--preset", ",".join(given.presets), "--variant",
                   ",".join(VARIANTS), "--json", file]
        done = subprocess.run(command, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise Ends(f"trilane run ended with {done.returncode}: {last_line(done)}",
                       done.returncode if done.returncode in (1, 3, 4, 5, 130) else 1)
        return read_results(file)


def read_results(file):
    """The parsed results; raises Ends unless they have what is needed here."""
    way_out = "name a file written by trilane run or sweep with --json"
    try:
        content = file.read_bytes()
        results = json.loads(gzip.decompress(content) if file.suffix == ".gz" else content)
    except (EOFError, OSError, ValueError, RecursionError, zlib.error) as error:
        raise Ends(f"'{file}' cannot be read ({error}): {way_out}") from error
    try:
        if results["schema"] not in ("trilane-results", "trilane-sweep"):
            raise Ends(f"'{file}' holds no results of trilane: {way_out}")
        if results["context"]["simulated"]:
            raise Ends(f"'{file}' is of a simulated device: {way_out} on a GPU")
        list(printed_ratios(results))
        times_of_trilane(results)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Ends(f"'{file}' lacks or has a wrong {error}: {way_out}") from error
    return results


def shape_of(workload):
    """Returns what the plain programs take for it on one GPU; nothing if they cannot do it."""
    if workload.get("gpus"):
        return None
    if workload["name"] in PRESETS and not workload.get("modified"):
        return workload["name"]
    chunks, rest = divmod(workload["bytes"], workload["chunk_bytes"])
    if rest or workload["order"] != "depth" or workload["host_memory"] != "pinned":
        return None
    return ",".join(map(str, (chunks, workload["chunk_bytes"], workload["result_bytes"],
                              min(workload["lanes"], chunks), workload["depth"],
                              workload["rounds"])))


def printed_ratios(results):
    """Yields those of variants and shapes that there are plain programs of."""
    if results["schema"] == "trilane-sweep":
        found = ratios_of_sweep(results)
    else:
        found = ratios_of_run(results)
    for workload, variant, over, ratio in found:
        shape = shape_of(workload)
        if shape is None or not {variant, over} <= set(VARIANTS):
            continue
        estimate, low, high = (float(value) for value in ratio)
        if not 0 <= low <= estimate <= high < math.inf or estimate == 0:
            raise ValueError(f"ratio of {variant}")
        yield Printed(shape, variant, over, {"estimate": estimate, "low": low, "high": high})


def ratios_of_run(results):
    for comparison in results["comparisons"]:
        if comparison["mode"] != "latency":
            continue
        for measurement in comparison["measurements"]:
            if "ratio" in measurement:
                ratio = measurement["ratio"]
                yield (comparison["workload"], measurement["variant"], comparison["reference"],
                       (ratio["estimate"], ratio["low"], ratio["high"]))


def ratios_of_sweep(results):
    for cell in results["cells"] if results["mode"] == "latency" else []:
        for variant, times in cell["variants"].items() if cell["status"] == "ok" else []:
            if variant != cell["winner"]:
                yield (cell["workload"], variant, cell["winner"],
                       (times["over_winner"], times["low"], times["high"]))


def times_of_trilane(results):
    """Returns what a pass takes in each process of the results, by shape and variant."""
    times = {}
    if results["schema"] == "trilane-sweep":
        for cell in results["cells"]:
            for variant, found in cell["variants"].items() if cell["status"] == "ok" else []:
                times[shape_of(cell["workload"]), variant] = found["processes"]["wall_us"]
        return times
    for comparison in results["comparisons"]:
        for measurement in comparison["measurements"]:
            times[shape_of(comparison["workload"]), measurement["variant"]] = times_in(measurement)
    return times


def times_in(measurement):
    """Returns what a pass takes in each process of a measurement."""
    samples, by_process = measurement.get("samples", {}), collections.defaultdict(list)
    for process, us in zip(samples.get("process", []), samples.get("wall_us", [])):
        by_process[process].append(us)
    return [mean_of_uninterrupted(us) for us in by_process.values()]


def mean_of_uninterrupted(passes_us):
    longest = INTERRUPTED_FROM * statistics.median(passes_us)
    return statistics.fmean(us for us in passes_us if us <= longest)


def chosen_ratios(given, results):
    """The printed ratios that are compared: --presets chooses among presets, --points among all."""
    found = [printed for printed in printed_ratios(results)
             if printed.preset not in PRESETS or printed.preset in given.presets]
    if not found:
        raise Ends(f"the results print no ratio on {','.join(given.presets)} or another shape that "
                   "the plain programs know: name results of some of the nine variants")
    shapes = list(dict.fromkeys(printed.preset for printed in found))
    if given.points is not None and given.points < len(shapes):
        shapes = random.Random(given.seed).sample(shapes, given.points)
    return [printed for printed in found if printed.preset in shapes]


def last_line(done):
    lines = (done.stderr.strip() or done.stdout.strip() or "it says nothing").splitlines()
    return lines[-1][:300]


def run_plain(folder, variant, preset, time_ms, *more):
    """Returns what a fresh process of a plain program printed, as a dict; a text if it failed."""
    try:
        done = subprocess.run([folder / "truth" / variant, preset, f"{time_ms:g}", *more],
                              text=True, errors="replace", check=False, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"did not end within {LIMIT_S} s"
    except OSError as error:
        return f"cannot be run ({error.strerror})"
    if done.returncode == 3:
        raise Ends(last_line(done), 3)
    try:
        found = json.loads(done.stdout)
        keys = ("mean_us", "median_us", "p25_us", "p75_us", "setup_us")
        if not all(0 < float(found[key]) < math.inf for key in keys):
            raise ValueError
        if found["ok"] is not True:
            return "computed wrong data"
    except (KeyError, TypeError, ValueError, RecursionError):
        return f"ended with {done.returncode} and no result: {last_line(done)}"
    return found if done.returncode == 0 else f"ended with {done.returncode}: {last_line(done)}"


class Plain:
    """The plain programs' processes. `found` is what they printed, by preset and variant; `failed`
    what failed, in words."""

    def __init__(self, given, folder):
        self.given, self.folder, self.draw = given, folder, random.Random(given.seed)
        self.found, self.failed = collections.defaultdict(list), []

    def measure(self, programs, processes):
        """Runs the variants of each preset in these processes, by number."""
        for process in processes:
            for preset, variants in programs.items():
                for variant in self.draw.sample(sorted(variants), len(variants)):
                    printed = run_plain(self.folder, variant, preset, self.given.time)
                    if isinstance(printed, str):
                        self.failed.append(f"{variant} on {preset}, process {process}: {printed}")
                    else:
                        self.found[preset, variant].append(printed)


def programs_of(chosen):
    """The variants that are needed, by preset."""
    needed = collections.defaultdict(set)
    for printed in chosen:
        needed[printed.preset] |= {printed.variant, printed.over}
    return needed


def rows_of(chosen, found):
    """A Row for each printed ratio that both plain programs have times for."""
    times = {cell: [one["mean_us"] for one in runs] for cell, runs in found.items()}
    for preset, variant, over, printed in chosen:
        ours, theirs = times.get((preset, variant)), times.get((preset, over))
        if ours and theirs:
            plain = statistics.median(ours) / statistics.median(theirs)
            error = plain * math.hypot(relative_error(ours), relative_error(theirs))
            off = printed["estimate"] / plain - 1
            yield Row(preset, variant, over, printed, plain, error, off,
                      place_of(plain, off, printed))


def relative_error(times):
    """The standard error of their median, as a share of it; 0 for one alone. The spread is that of
    a normal distribution with the same quartiles."""
    if len(times) < 2:
        return 0
    low, middle, high = statistics.quantiles(times, method="inclusive")
    of_mean = (high - low) / 1.349 / math.sqrt(len(times))
    return math.sqrt(math.pi / 2) * of_mean / middle


def place_of(plain, off, printed):
    if printed["low"] <= plain <= printed["high"]:
        return "inside"
    narrower = half_width(printed) < WIDEST_OFF
    return "far outside" if abs(off) > WIDEST_OFF and narrower else "outside"


def half_width(printed):
    """The longer arm of the interval, as a share of the estimate."""
    return max(printed["high"] / printed["estimate"] - 1, 1 - printed["low"] / printed["estimate"])


def spread_of(runs):
    """The median share of a process's median time that lies between its quartiles."""
    return statistics.median((run["p75_us"] - run["p25_us"]) / run["median_us"] for run in runs)


def lines_of(rows, found):
    wide = max(len(row.preset) for row in rows) if rows else 9
    yield (f"{'preset':{wide}} {'variant':16} {'trilane':>22}  {'plain':>15} {'off':>7}           "
           f"            us  quartiles")
    for row in rows:
        printed, runs = row.printed, found[row.preset, row.variant]
        us = statistics.median(run["mean_us"] for run in runs)
        interval = f"{printed['estimate']:.3f} [{printed['low']:.3f}, {printed['high']:.3f}]"
        yield (f"{row.preset:{wide}} {row.variant:16} {interval:>22}  {row.plain:.3f} +- "
               f"{row.standard_error:.3f} {row.off:+7.1%}  "
               f"{'' if row.lies == 'inside' else row.lies:11} "
               f"{us:10.1f} {spread_of(runs):9.1%}")
    for name, some in (("", rows), ("on launch: ", [r for r in rows if r.preset == "launch"])):
        inside = sum(row.lies == "inside" for row in some)
        if some:
            width = statistics.median(half_width(row.printed) for row in some)
            yield (f"{name}{inside} of {len(some)} inside ({inside / len(some):.0%}); half of the "
                   f"intervals reach at most {width:.1%} each way")
    if rows:
        worst = max(rows, key=lambda row: abs(row.off))
        yield (f"furthest off: {worst.variant} on {worst.preset}, {worst.printed['estimate']:.3f} "
               f"printed, {worst.plain:.3f} by plain programs")
    far = [f"{row.variant} on {row.preset} ({row.off:+.1%})" for row in rows
           if row.lies == "far outside"]
    yield (f"more than {WIDEST_OFF:.0%} off, with an interval narrower than that: "
           f"{', '.join(far) or 'none'}")


def record(given, results, rows, found, failed, seconds):
    """The document of --json."""
    command = " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])
    ours = times_of_trilane(results)
    programs = [{"preset": preset, "variant": variant, "spread": spread_of(runs),
                 "trilane_us": ours.get((preset, variant), []),
                 "us": [run["mean_us"] for run in runs],
                 "setup_us": statistics.median(run["setup_us"] for run in runs)}
                for (preset, variant), runs in sorted(found.items())]
    return {"schema": "trilane-truth", "schema_version": 1,
            "context": {**results["context"], "command_line": command},
            "seed": given.seed, "processes": given.processes,
            "time_ms": given.time, "seconds": round(seconds, 1), "failed": failed,
            "rows": [row._asdict() for row in rows], "programs": programs}


def write(file, document):
    """Whole or not at all."""
    try:
        temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        temporary.replace(file)
    except OSError as error:
        raise Ends(f"'{file}' cannot be written ({error.strerror}): name another file", 5) from error


def placed(results, given):
    """Yields preset, GPU, the way it was measured, and the comparison."""
    for comparison in results["comparisons"]:
        place, preset = comparison.get("placement"), comparison["workload"]["name"]
        plain = (not comparison["workload"].get("modified") and comparison["mode"] == "latency" and
                 comparison["workload"]["host_memory"] == "pinned" and comparison["wait"] == "spin")
        if place and plain and preset in given.presets:
            way = ("alone" if place["beside"] == 0 else
                   "threads" if place.get("one_process") else "processes")
            yield preset, place["device"], way, comparison


def placed_times(results, given):
    """Yields preset, variant, GPU, the way it was measured, and what a pass takes in each process."""
    for preset, gpu, way, comparison in placed(results, given):
        for measurement in comparison["measurements"]:
            times = times_in(measurement)
            if times and measurement["status"] == "ok" and measurement["variant"] in VARIANTS:
                yield preset, measurement["variant"], gpu, way, times


def run_on_gpus(folder, variant, preset, time_ms, groups):
    """Returns the mean time of a pass by GPU, with a process for each group of GPUs; a text if one
    failed."""
    started = [subprocess.Popen([folder / "truth" / variant, preset, f"{time_ms:g}",
                                 *map(str, group)], text=True, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
               for group in groups]
    try:
        for one, group in zip(started, groups):
            for _ in group:
                if one.stdout.readline() != "ready\n":
                    return f"was not ready: {one.communicate(timeout=LIMIT_S)[1][-300:].strip()}"
        for one, group in zip(started, groups):
            one.stdin.write("\n" * len(group))
            one.stdin.flush()
        found = [json.loads(line) for one in started
                 for line in one.communicate(timeout=LIMIT_S)[0].splitlines()]
        if any(one.returncode for one in started) or not all(one["ok"] for one in found):
            return "computed wrong data"
        return {one["device"]: one["mean_us"] for one in found}
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return f"left no result ({error})"
    finally:
        for one in started:
            one.kill()
            with one:  # which closes its pipes, and waits
                pass


def run_in_turn(given, todo, run):
    """Calls run(*work) for each of `todo`, as often as --processes says, in shuffled orders.
    Returns what it found, by work, and what failed, in words: run() returns a text then."""
    found, failed, draw = collections.defaultdict(list), [], random.Random(given.seed)
    for process in range(1, given.processes + 1):
        for work in draw.sample(todo, len(todo)):
            one = run(*work)
            if isinstance(one, str):
                failed.append("{1} on {0}, {2}, process {3}: {4}".format(*work[:3], process, one))
            else:
                found[work].append(one)
    return found, failed


def end_with(failed):
    if failed:
        raise Ends(f"{len(failed)} runs failed, the first is {failed[0]}", 1)


def measure_gpus(given, folder, cells):
    """Returns what a pass of the plain programs takes in each process, by cell, and what failed."""
    gpus = tuple(sorted({cell[2] for cell in cells}))
    if len(gpus) < 2:
        raise Ends(f"'{given.results}' is not of several GPUs: run trilane run --device all")
    each = tuple((gpu,) for gpu in gpus)
    ways = [*(("alone", (gpu,)) for gpu in each), ("processes", each), ("threads", (gpus,))]
    todo = [(*work, *way) for work in sorted({cell[:2] for cell in cells}) for way in ways]
    found, failed = run_in_turn(given, todo, lambda preset, variant, _, groups: run_on_gpus(
        folder, variant, preset, given.time, groups))
    plain = collections.defaultdict(list)
    for (preset, variant, way, _), runs in found.items():
        for gpu, us in [item for run in runs for item in run.items()]:
            plain[preset, variant, gpu, way].append(us)
    return plain, failed


def best_kept(comparison):
    """Returns the variant that Trilane calls the best one without new kernels, or nothing."""
    best = {winner["tier"]: winner for winner in comparison["winners"]}
    same, moved = best.get("same operations"), best.get("moved together")
    if same and moved:
        least = same["ratio"]["low"] if "ratio" in same else 1
        same = moved if "ratio" in moved and moved["ratio"]["high"] < least else same
    return (same or moved or {"variant": None})["variant"]


def advised_processes(ratios):
    """Returns the advice that follows from a variant's ratios of one process over one each."""
    known = all(ratio["low"] > 0 for ratio in ratios)
    slower = any(ratio["low"] > 1 and ratio["estimate"] >= 1.01 for ratio in ratios)
    faster = any(0 < ratio["low"] and ratio["high"] < 1 and ratio["estimate"] <= 1 / 1.01
                 for ratio in ratios)
    if slower or faster:
        return "it depends" if slower and faster else "one each" if slower else "one process"
    return "either" if known else "not known"


def advised_variants(ways, said):
    """Returns the GPUs for which the answer names a variant for all at work, by preset, variant
    and the one that it replaces; None if that stays. An answer may leave out some that change."""
    changed = {(preset, int(gpu)): (use, before) for use, before, preset, gpu in
               re.findall(r"(\S+) instead of (\S+) on (\S+) \(GPU (\d+)\)", said)}
    complete = not re.search(r"Use then [^.]* and \d+ more\.", said)
    advised = collections.defaultdict(list)
    for preset, gpu, way in ways:
        if way == "processes" and (complete or (preset, gpu) in changed):
            same = best_kept(ways[preset, gpu, "alone"]), None
            advised[(preset, *changed.get((preset, gpu), same))].append(gpu)
    return advised


def asked_ratios(ways):
    """Returns the ratios of one process over one each on which the answer rests, by preset and
    variant and then by GPU."""
    found = collections.defaultdict(dict)
    for (preset, gpu, way), comparison in ways.items():
        if way != "threads":
            continue
        asked = (comparison["reference"] or best_kept(ways[preset, gpu, "alone"]),
                 best_kept(ways[preset, gpu, "processes"]))
        for one in comparison["measurements"]:
            if one["variant"] in asked and "over_processes" in one:
                found[preset, one["variant"]][gpu] = one["over_processes"]
    return found


def advice_lines(results, given, plain):
    """Yields a line for each thing that Trilane advises for all GPUs at work, with what the plain
    programs say of it: the time of what is not advised over that of what is, all GPUs together."""
    said = next((one["text"] for one in results["answers"] if one["question"] == "GPUs?"), "")
    if not said:  # not measured alone, or not at once
        return
    ways = {tuple(key): comparison for *key, comparison in placed(results, given)}

    def line(preset, gpus, advice, words):
        return f"{preset:9} GPU {','.join(map(str, gpus)):8} {advice:32} {words}"

    def times(preset, variant, gpus, way):
        return [sum(each) for each in zip(*(plain.get((preset, variant, gpu, way), [])
                                            for gpu in gpus))]

    yield f"trilane advises: {said}"
    for (preset, use, before), gpus in advised_variants(ways, said).items():
        at_once = {variant: times(preset, variant, gpus, "processes") for variant in VARIANTS
                   if variant not in REWRITTEN}
        yield line(preset, gpus, f"{use}, {f'instead of {before}' if before else 'as alone'}",
                   judged(at_once, [(other, use) for other in at_once if other != use]))
    for (preset, variant), ratios in asked_ratios(ways).items():
        advice = advised_processes(ratios.values())
        at_once = {"one process": times(preset, variant, ratios, "threads"),
                   "one each": times(preset, variant, ratios, "processes")}
        pairs = [(other, way) for way in at_once for other in at_once
                 if other != way and advice in (way, "either")]
        yield line(preset, ratios, f"{variant}: {advice}", judged(at_once, pairs))


def judged(times, pairs):
    """Returns the least of the ratios of these pairs, and whether the advice is kept: nothing is
    faster than what it names by more than 1%, beyond two standard errors."""
    pairs = [pair for pair in pairs if times.get(pair[0]) and times.get(pair[1])]
    if not pairs:
        return "-"
    least, pair = min((statistics.median(times[above]) / statistics.median(times[below]),
                       (above, below)) for above, below in pairs)
    error = least * math.hypot(*(relative_error(times[side]) for side in pair))
    kept = ("too few processes" if min(len(times[side]) for side in pair) < 2 else
            "kept" if least + 2 * error >= 1 / 1.01 else "not kept")
    return f"{' / '.join(pair)}: {least:.3f} +- {error:.3f}  {kept}"


def compare_gpus(given, folder):
    results = read_results(given.results)
    ours = {tuple(cell): times for *cell, times in placed_times(results, given)}
    plain, failed = measure_gpus(given, folder, ours)
    print(f"{'preset':9} {'variant':16} GPU  {'at once / alone: trilane':25} {'plain':17}  "
          f"{'one process / one each: trilane':32} plain")
    for preset, variant, gpu in sorted({cell[:3] for cell in ours}):
        alone, each, one = ((preset, variant, gpu, way) for way in ("alone", "processes",
                                                                    "threads"))
        print(f"{preset:9} {variant:16} {gpu:3}  {ratio_text(ours, each, alone):25} "
              f"{ratio_text(plain, each, alone):17}  {ratio_text(ours, one, each):32} "
              f"{ratio_text(plain, one, each)}")
    for line in advice_lines(results, given, plain):
        print(line)
    end_with(failed)


def split_passes(results, given):
    """Yields preset, variant and GPUs of each split pass that plain programs can do, with its
    measurement and the one on a single GPU."""
    for comparison in results["comparisons"]:
        whole = dict(comparison["workload"])
        gpus, preset = tuple(whole.pop("gpus", ())), shape_of(whole)
        if (not gpus or preset is None or preset in set(PRESETS) - set(given.presets) or
                comparison["mode"] != "latency" or comparison["wait"] != "spin"):
            continue
        one_gpu = {measurement["variant"]: measurement for one in results["comparisons"]
                   if one["workload"] == whole and one["wait"] == "spin"
                   for measurement in one["measurements"]}
        for split in comparison["measurements"]:
            if split["variant"] in SPLIT and "over_one_gpu" in split:
                yield preset, split["variant"], gpus, split, one_gpu[split["variant"]]


def run_split(folder, time_ms, preset, program, way, gpus):
    """Returns what a pass of a plain program takes; a text if it failed."""
    if way == "one GPU":
        found = run_on_gpus(folder, program, preset, time_ms, [gpus[:1]])
        return found if isinstance(found, str) else found[gpus[0]]
    found = run_plain(folder, program, preset, time_ms, ",".join(map(str, gpus)),
                      str(1 if way == "beside contexts" else len(gpus)))
    return found if isinstance(found, str) else found["mean_us"]


def sides_of(preset, variant, gpus):
    """Returns what is run: on one GPU, on it in a process with contexts on all, and on all."""
    alone, split = SPLIT[variant]
    return [(preset, alone, "one GPU", gpus), (preset, split, "beside contexts", gpus),
            (preset, split, "split", gpus)]


def compare_split(given, folder):
    passes = list(split_passes(read_results(given.results), given))
    if not passes:
        raise Ends(f"'{given.results}' has no split pass that plain programs know: run trilane run "
                   "--split --variant streams,graph")
    todo = {side: None for one in passes for side in sides_of(*one[:3])}
    plain, failed = run_in_turn(given, list(todo), functools.partial(run_split, folder, given.time))
    print(f"{'preset':9} {'variant':10} {'GPUs':5} {'speed: trilane':19} {'plain':15} {'off':>6} "
          f"{'':11} {'over contexts':15} {'contexts cost':15}  us: {'one GPU':>8} {'plain':>9} "
          f"{'contexts':>9} {'split':>9} {'plain':>9}")
    for preset, variant, gpus, split, one in passes:
        sides = alone, contexts, together = sides_of(preset, variant, gpus)
        if not all(side in plain for side in sides):
            continue
        over = split["over_one_gpu"]
        speed = {"estimate": 1 / over["estimate"], "low": 1 / over["high"],
                 "high": 1 / over["low"] if over["low"] > 0 else math.inf}
        found = statistics.median(plain[alone]) / statistics.median(plain[together])
        off = speed["estimate"] / found - 1
        lies = place_of(found, off, speed)
        us = [statistics.median(times) for times in (
            times_in(one), plain[alone], plain[contexts], times_in(split), plain[together])]
        print(f"{preset:9} {variant:10} {','.join(map(str, gpus)):5} "
              f"{speed['estimate']:5.2f} [{speed['low']:.2f}, {speed['high']:.2f}]  "
              f"{ratio_text(plain, alone, together)} {off:+6.1%} {lies:11} "
              f"{ratio_text(plain, contexts, together)} {ratio_text(plain, contexts, alone)}    "
              + " ".join(f"{time:9.1f}" for time in us))
    end_with(failed)


def ratio_text(times, above, below):
    if not times.get(below) or not times.get(above):
        return "-"
    ratio = statistics.median(times[above]) / statistics.median(times[below])
    error = ratio * math.hypot(relative_error(times[above]), relative_error(times[below]))
    return f"{ratio:.3f} +- {error:.3f}"


def main():
    given = arguments()
    folder = given.folder.resolve()
    if given.gpus or given.split:
        (compare_gpus if given.gpus else compare_split)(given, folder)
        return
    programs = [f"truth/{variant}" for variant in VARIANTS]
    for name in programs if given.results else ["trilane", *programs]:
        if not os.access(folder / name, os.X_OK) or not (folder / name).is_file():
            raise Ends(f"'{given.folder}' has no program {name}: install the component gpu-tests")
    start = time.monotonic()
    print(f"plain programs: {given.processes} processes each, {given.time:g} ms, seed {given.seed}",
          flush=True)
    plain, before = Plain(given, folder), 0 if given.results else given.processes // 2
    plain.measure({preset: set(VARIANTS) for preset in given.presets}, range(1, before + 1))
    results = results_of(given, folder)
    chosen = chosen_ratios(given, results)
    plain.measure(programs_of(chosen), range(before + 1, given.processes + 1))
    found, failed = plain.found, plain.failed
    rows = list(rows_of(chosen, found))
    seconds = time.monotonic() - start
    for line in [*lines_of(rows, found), *failed, f"took {seconds:.0f} s"]:
        print(line)
    if given.json:
        write(given.json, record(given, results, rows, found, failed, seconds))
    if failed:
        raise Ends(f"{len(failed)} processes failed, the first is {failed[0]}", 1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except Ends as end:
        print(f"truth.py: {end}", file=sys.stderr)
        sys.exit(end.code)
    except KeyboardInterrupt:
        print("truth.py: stopped", file=sys.stderr)
        sys.exit(130)
