#!/usr/bin/env python3
"""Draws results files of fleets of GPUs from a model, merges them, and counts what is found.

Machines differ in copy rates, clocks and launch costs; processes and passes scatter; a few
processes are slow. Odd GPUs have one of these changed by 2% and more. Prints
- the odd GPUs found, and how many sound ones were named beside them;
- the fleets without an odd GPU in which one was named;
- time and memory for a fleet of files as large as trilane run writes them.
Exit codes: 0 within the limits, 1 not, 2 usage.
"""
import argparse
import copy
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "plots" / "results" / "h200.json.gz"
PROCESSES, ROUNDS, PASSES = 6, 3, 1

# Relative standard deviations over machines; of copies, about what GPUs of one server show.
SPREADS = {"in": 0.002, "out": 0.002, "sms": 0.001, "host": 0.03}
# Of a process, a pass, and a cost, which a file holds once.
PROCESS, PASS, COST = 0.006, 0.01, 0.002
SLOW_PROCESSES, SLOW_BY = 0.03, 1.5
# What the time of a workload follows: the shares of host, copies and SMs.
FOLLOWS = {"launch": {"host": 1}, "transfer": {"in": 0.5, "out": 0.5}, "balanced":
           {"in": 0.4, "out": 0.4, "sms": 0.2}, "compute": {"sms": 1}, "reduce": {"in": 1},
           "search": {"sms": 1}}
# A cost's part; calls belong to the host.
COSTS = {"copy_in_us": "in", "copy_out_us": "out", "kernels_us": "sms"}
PART_OF = {"in": "copy in", "out": "copy out", "sms": "kernel", "host": "cuda"}


def base(workloads, variants):
    """Results of an H200 of these workloads and variants; None: of all."""
    results = json.loads(gzip.decompress(RESULTS.read_bytes()))
    results["context"]["gpu"].pop("uuid")
    if workloads:
        results["comparisons"] = [c for c in results["comparisons"]
                                  if c["workload"]["name"] in workloads]
        for comparison in results["comparisons"]:
            comparison.update(winners=[], rounds=ROUNDS)
            comparison.pop("advice", None)
            comparison["measurements"] = [
                {key: value for key, value in m.items() if key not in ("price", "break_even")}
                for m in comparison["measurements"] if m["variant"] in variants]
    return results


def machine(draw, odd=()):
    """The logarithm of each part's slow-down."""
    parts = {part: draw.normal(0, spread) for part, spread in SPREADS.items()}
    for part, share in odd:
        parts[part] += numpy.log1p(share)
    return parts


def drawn_samples(draw, log_us, host_bound):
    """The samples of a variant, whose typical pass takes that long."""
    own = draw.normal(0, PROCESS, PROCESSES)
    if host_bound:
        own += numpy.log(SLOW_BY) * (draw.random(PROCESSES) < SLOW_PROCESSES)
    count = PROCESSES * ROUNDS * PASSES
    process = numpy.repeat(numpy.arange(PROCESSES), ROUNDS * PASSES)
    us = numpy.exp(log_us + own[process] + draw.normal(0, PASS, count)).round(3).tolist()
    rounds = numpy.tile(numpy.repeat(numpy.arange(ROUNDS), PASSES), PROCESSES).tolist()
    return {"process": process.tolist(), "round": rounds, "after": [0] * count, "submit_us": us,
            "device_us": us, "wall_us": us, "host_us": [4] * count}


def drawn(results, draw, parts):
    """Results of one machine: those given, times and costs drawn anew."""
    results = copy.copy(results)
    results["comparisons"] = [copy.copy(c) for c in results["comparisons"]]
    for comparison in results["comparisons"]:
        follows = FOLLOWS[comparison["workload"]["name"]]
        slow = sum(share * parts[part] for part, share in follows.items())
        comparison["measurements"] = [
            {**m, "samples": drawn_samples(draw, numpy.log(m["wall"]["mean"]) + slow,
                                           "host" in follows)}
            for m in comparison["measurements"]]
        limit = comparison["limit"] = dict(comparison["limit"])
        for name, part in COSTS.items():
            limit[name] *= float(numpy.exp(parts[part] + draw.normal(0, COST)))
        for name, part in (("duplex_in_gbps", "in"), ("duplex_out_gbps", "out")):
            limit[name] /= float(numpy.exp(parts[part] + draw.normal(0, COST)))
        limit["calls_us"] = {name: us * float(numpy.exp(parts["host"] + draw.normal(0, 0.01)))
                             for name, us in limit["calls_us"].items()}
    return results


def write_fleet(folder, results, draw, machines, odd=None):
    """Writes a file for each machine; `odd` has the changed parts of some."""
    for number in range(machines):
        own = drawn(results, draw, machine(draw, (odd or {}).get(number, ())))
        (folder / f"gpu{number}.json").write_text(json.dumps(own))


def merged(program, folder, *options):
    """The judgement, and the program's exit code, seconds and peak memory in bytes."""
    files = sorted(map(str, folder.glob("gpu*.json")))
    output = folder / "fleet.json"
    begin = time.monotonic()
    process = subprocess.Popen([program, "merge", *files, "--force", f"--json={output}", *options],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - begin
    with output.open() as file:  # the runs follow what is wanted
        head = "".join(iter(lambda: next(file), '  "runs": [\n'))
    fleet = json.loads(head.rstrip().removesuffix(",") + "}")
    return fleet, os.waitstatus_to_exitcode(status), took, usage.ru_maxrss * 1024


def names(fleet):
    return {int(odd["machine"].removeprefix("gpu").removesuffix(".json")):
            [figure["name"] for figure in odd["figures"]] for odd in fleet["odd"]}


def planted(machines, count, seed):
    """Odd machines, with the part that is changed: from 2% for copies and clocks, which hardly
    differ, and ten spreads for the host's calls."""
    draw = random.Random(seed)
    sizes = {"in": 0.02, "out": 0.02, "sms": 0.02, "host": 0.35}
    odd = {}
    for place, number in enumerate(draw.sample(range(machines), count)):
        part = list(sizes)[place % len(sizes)]
        odd[number] = [(part, sizes[part] * (1 if place < len(sizes) else draw.uniform(1, 3)))]
    return odd


def find_planted(args, top, results):
    odd = planted(args.machines, args.odd, args.seed)
    write_fleet(top, results, numpy.random.default_rng(args.seed), args.machines, odd)
    found = names(merged(args.program, top)[0])
    right = [number for number, [(part, _)] in odd.items()
             if any(PART_OF[part] in name for name in found.get(number, []))]
    others = sorted(found.keys() - odd.keys())
    print(f"planted: {len(right)} of {len(odd)} odd GPUs among {args.machines} found by what was "
          f"changed; others named: {others or 'none'}", flush=True)
    return len(right) == len(odd) and not others


def count_alarms(args, top, results):
    alarms = 0
    for fleet in range(args.fleets):
        draw = numpy.random.default_rng([args.seed, fleet])
        write_fleet(top, results, draw, args.machines)
        alarms += bool(names(merged(args.program, top)[0]))
    print(f"sound: {alarms} of {args.fleets} fleets of {args.machines} raised a false alarm",
          flush=True)
    return alarms <= 0.05 * max(args.fleets, 20)


def measure(args, top):
    results = base(None, None)
    global ROUNDS, PASSES
    ROUNDS, PASSES = 6, 2
    write_fleet(top, results, numpy.random.default_rng(args.seed), args.machines)
    size = sum(path.stat().st_size for path in top.glob("gpu*.json"))
    _, code, took, memory = merged(args.program, top)
    print(f"size: {args.machines} files of {size / args.machines / 1e6:.2f} MB merged in "
          f"{took:.1f} s and {memory / 1e9:.2f} GB", flush=True)
    return code == 0 and took <= 60 and memory <= 2e9


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="a trilane or trilane-sim")
    parser.add_argument("--machines", type=int, default=1000, help="GPUs of a fleet (1000)")
    parser.add_argument("--fleets", type=int, default=100, help="fleets without an odd GPU (100)")
    parser.add_argument("--odd", type=int, default=20, help="odd GPUs to be found (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-size", action="store_true", help="skips the fleet of large files")
    args = parser.parse_args()
    results = base(("launch", "transfer", "compute"), ("streams", "graph", "engines", "fused"))
    right = True
    for act in (find_planted, count_alarms):
        with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
            right &= act(args, pathlib.Path(folder), results)
    if not args.no_size:
        with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
            right &= measure(args, pathlib.Path(folder))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
