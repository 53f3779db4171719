#!/usr/bin/env python3
"""Checks whether a preset takes as long when it is written as a pipeline file.

Runs each preset and its file in tests/variants/presets/ side by side, in one command, and compares
the wall times of every variant that both have. A time is the geometric mean of the medians of
rounds, with its 95% interval: across processes, or with one process across ten stretches of the
rounds. By chance alone, intervals of equal times lie apart in less than 1 of 100 cases; with few
processes they are wide, and what costs little does not show.

Exit codes: 0 all intervals overlap, 1 some do not, or a run failed, 2 usage.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

FILES = pathlib.Path(__file__).resolve().parent / "variants" / "presets"
PRESETS = ["launch", "transfer", "balanced", "compute", "reduce", "search"]
STRETCHES = 10  # of the rounds of one process: neighbours may be correlated

# Student's t of 97.5% with 1, 2, .. 10 degrees of freedom; with more the last one, which is wider.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

Time = collections.namedtuple("Time", "us low high")


def draws(samples):
    """Independent means of the logarithms of rounds' medians: of processes, or of stretches."""
    rounds = collections.defaultdict(list)
    for process, number, us in zip(samples["process"], samples["round"], samples["wall_us"]):
        rounds[process, number].append(us)
    series = collections.defaultdict(list)
    for (process, _), times in sorted(rounds.items()):
        series[process].append(math.log(statistics.median(times)))
    if len(series) > 1:
        return [statistics.fmean(logs) for logs in series.values()]
    logs = next(iter(series.values()))
    count = min(STRETCHES, len(logs))
    return [statistics.fmean(logs[i * len(logs) // count:(i + 1) * len(logs) // count])
            for i in range(count)]


def time_of(measurement):
    """With an interval from nothing to everything where there is but one round."""
    logs = draws(measurement["samples"])
    mean = statistics.fmean(logs)
    half = (STUDENT[min(len(logs) - 1, len(STUDENT)) - 1]
            * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf)
    return Time(*(math.exp(value) if value < 700 else math.inf
                  for value in (mean, mean - half, mean + half)))


def overlap(one, other):
    return one.low <= other.high and other.low <= one.high


def text(time):
    return f"{time.us:.2f} [{time.low:.2f}, {time.high:.2f}]"


def run(args, preset, folder):
    """The comparisons of the preset and of its file; nothing, with the program's words printed,
    where the run failed."""
    path = (args.keep or folder) / f"{preset}.json"
    command = [args.program, "run", f"--preset={preset}", f"--pipeline={FILES / preset}.json",
               f"--processes={args.processes}", f"--time={args.time}", f"--json={path}", "--force"]
    if args.variant:
        command.append(f"--variant={args.variant}")
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=args.within)
    except subprocess.TimeoutExpired:
        print(f"no end after {args.within:.0f} s: {' '.join(command)}", flush=True)
        return None
    if done.returncode != 0:
        print(f"exit code {done.returncode}: {' '.join(command)}\n{done.stderr}", flush=True)
    found = {}
    if path.exists():
        found = {c["workload"]["name"]: c for c in json.loads(path.read_text())["comparisons"]}
    pair = [found.get(name) for name in (preset, f"{preset}_file")]
    if None in pair:
        print(f"{preset}: the results lack the preset or its file: {', '.join(found) or 'empty'}")
        return None
    return pair


def rows(preset, file):
    """Yields (variant, its cells, whether they overlap); None where there is nothing to compare."""
    others = {m["variant"]: m for m in file["measurements"]}
    for m in preset["measurements"]:
        other = others.get(m["variant"])
        missing = [f"{where}: {given['status'] if given else 'not there'}"
                   for where, given in (("preset", m), ("file", other))
                   if not given or given["status"] != "ok"]
        if missing:
            yield m["variant"], ["; ".join(missing), "", "", ""], None
            continue
        one, two = time_of(m), time_of(other)
        same = overlap(one, two)
        yield m["variant"], [text(one), text(two), f"{100 * (two.us / one.us - 1):+.1f}%",
                             "yes" if same else "NO"], same


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="TRILANE", help="a trilane, or a trilane-sim")
    parser.add_argument("--processes", type=int, default=3, help="of each run (3)")
    parser.add_argument("--time", default="1s", help="measuring time of each run (1s)")
    parser.add_argument("--preset", default=",".join(PRESETS), help="some of them, with commas")
    parser.add_argument("--variant", help="some of them, with commas (all)")
    parser.add_argument("--within", type=float, default=600, metavar="SECONDS",
                        help="ends a run that takes longer (600)")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the results files there")
    args = parser.parse_args()
    if unknown := set(args.preset.split(",")) - set(PRESETS):
        parser.error(f"no such preset: {', '.join(sorted(unknown))}")
    if args.processes < 1:
        parser.error("--processes must be at least 1")
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    counts, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for preset in args.preset.split(","):
            pair = run(args, preset, pathlib.Path(folder))
            if pair is None:
                failed += 1
                continue
            print(f"\n## {preset}\n\n| variant | preset, us | file, us | file takes | overlap |")
            print("| --- | --- | --- | --- | --- |")
            for variant, cells, same in rows(*pair):
                counts[same] += 1
                print(f"| {variant} | {' | '.join(cells)} |", flush=True)
    print(f"\n{counts[True]} of {counts[True] + counts[False]} overlap, {counts[None]} have "
          f"nothing to compare, {failed} runs failed")
    return 1 if failed or counts[False] or not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
