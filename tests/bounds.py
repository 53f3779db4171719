#!/usr/bin/env python3
"""Whether bounds hold: draws random shapes, runs all variants, compares walls with bounds.

Usage: bounds.py PROGRAM [N [SEED]] [--time TIME] [--memory BYTES] [--keep FOLDER]
  PROGRAM   trilane, or trilane-sim for a simulated device
  N, SEED   the number of shapes (200), and what they are drawn from (1)
  --time    of each run (300ms)
  --memory  at most that many bytes each way in a pass (67108864), and 4 times as many that its
            kernels read, because a CPU checks them
  --keep    keeps the results files there
Prints the worst efficiency (the bound over the median wall time) of each variant and its shape.
Exit codes: 0 no efficiency above 102%, 1 one above or a run that failed, 2 usage.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

MOST = 1.02
WORD = 4


def spread(draw, low, high):
    """A whole number from low to high, as likely to be small as large."""
    return round(low * (high / low) ** draw.random())


def shape(draw, memory):
    """The knobs of one pass; every fourth has a shorter last chunk."""
    chunks = spread(draw, 1, 256)
    chunk = spread(draw, 64, max(64, min(64 << 20, memory // chunks) // WORD)) * WORD
    size = chunk * chunks
    if chunks > 1 and draw.random() < 0.25:
        size -= draw.randrange(chunk // WORD) * WORD
    result = draw.choice([chunk, spread(draw, 1, chunk // WORD) * WORD])
    depth = spread(draw, 1, max(1, min(256, 2048 // chunks, 4 * memory // size)))
    rounds = spread(draw, 1, 4096)
    # An H200 takes 0.13 us a round for a MiB, and 0.035 us at least; passes longer than 5 ms would
    # take most of the time.
    while depth * chunks * rounds * max(0.035, chunk / (1 << 20) * 0.14) > 5_000 and rounds > 1:
        rounds = max(1, rounds // 4)
    knobs = {"size": size, "chunk-size": chunk, "result-size": result,
             "lanes": spread(draw, 1, 32), "depth": depth, "rounds": rounds,
             "order": draw.choice(["depth", "breadth"])}
    return [f"--{name}={value}" for name, value in knobs.items()]


def run(program, knobs, seconds, path):
    """The comparison of one shape; nothing, with the program's words printed, where it failed."""
    command = [program, "run", *knobs, f"--time={seconds}", f"--json={path}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"exit code {done.returncode}: {' '.join(command)}\n{done.stderr}", flush=True)
        return None
    return json.loads(pathlib.Path(path).read_text())["comparisons"][0]


def arguments(usage):
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("program")
    parser.add_argument("n", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--time", default="300ms")
    parser.add_argument("--memory", type=int, default=64 << 20)
    parser.add_argument("--keep")
    return parser.parse_args()


def report(worst, above):
    """The worst of each variant, highest first, then every one above what is allowed."""
    for variant, (efficiency, by, knobs) in sorted(worst.items(), key=lambda row: -row[1][0]):
        print(f"{variant:16} {100 * efficiency:7.1f}%  {by:20} {' '.join(knobs)}")
    for efficiency, variant, by, knobs in sorted(above, reverse=True):
        print(f"above: {100 * efficiency:.1f}% {variant}, {by}: {' '.join(knobs)}")


def main():
    args = arguments(__doc__)
    draw = random.Random(args.seed)
    worst, above, failed = {}, [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(args.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for i in range(args.n):
            knobs = shape(draw, args.memory)
            comparison = run(args.program, knobs, args.time, folder / f"{i}.json")
            failed += comparison is None
            for m in comparison["measurements"] if comparison else []:
                efficiency, by = m.get("efficiency"), m.get("bound_by")
                if efficiency is None:
                    continue
                worst[m["variant"]] = max(worst.get(m["variant"], (0,)), (efficiency, by, knobs))
                if not efficiency <= MOST:
                    above.append((efficiency, m["variant"], by, knobs))
    report(worst, above)
    print(f"{args.n} shapes, seed {args.seed}: {len(above)} bounds of {len(worst)} variants above "
          f"{100 * MOST:.0f}%, {failed} runs failed")
    return 1 if above or failed else 0


if __name__ == "__main__":
    sys.exit(main())
