"""Random shapes and their runs, for bounds.py and advice.py."""

import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import time

WORD = 4


def spread(draw, low, high):
    """A whole number from low to high, as likely to be small as large."""
    return round(low * (high / low) ** draw.random())


def shape(draw, memory):
    """The knobs of one pass; every fourth has a shorter last chunk."""
    chunks = spread(draw, 1, 128)
    chunk = spread(draw, 64, max(64, memory // chunks // WORD)) * WORD
    size = chunk * chunks
    if chunks > 1 and draw.random() < 0.25:
        size -= draw.randrange(chunk // WORD) * WORD
    result = draw.choice([chunk, spread(draw, 1, chunk // WORD) * WORD])
    # Most of the time is spent on submitting, by variants that are far from their bounds.
    depth = spread(draw, 1, max(1, min(256, 400 // chunks, 4 * memory // size)))
    rounds = spread(draw, 1, 4096)
    # An H200 takes 0.14 us a round for a MiB, and 0.035 us at least: at most 2 ms of kernels.
    while depth * chunks * rounds * max(0.035, chunk / (1 << 20) * 0.14) > 2_000 and rounds > 1:
        rounds = max(1, rounds // 4)
    knobs = {"size": size, "chunk-size": chunk, "result-size": result,
             "lanes": spread(draw, 1, 32), "depth": depth, "rounds": rounds,
             "order": draw.choice(["depth", "breadth"])}
    return [f"--{name}={value}" for name, value in knobs.items()]


def run(program, knobs, variants, seconds, path):
    """The comparison of one shape; nothing, with the program's words printed, where it failed."""
    command = [program, "run", *knobs, f"--variant={','.join(variants)}", f"--time={seconds}",
               f"--json={path}", "--force"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"exit code {done.returncode}: {' '.join(command)}\n{done.stderr}", flush=True)
        return None
    return json.loads(pathlib.Path(path).read_text())["comparisons"][0]


def arguments(usage):
    parser = argparse.ArgumentParser(usage=usage.replace("%", "%%"))
    parser.add_argument("program")
    parser.add_argument("n", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--time", default="20ms")
    parser.add_argument("--memory", type=int, default=16 << 20)
    parser.add_argument("--within", type=float, default=float("inf"))
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    if pathlib.Path(args.program).exists():
        args.program = str(pathlib.Path(args.program).resolve())
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    return args


def keep(args, folder, index):
    """Copies the results of a shape to where they were asked for."""
    for path in folder.glob("*.json") if args.keep else []:
        shutil.copy(path, args.keep / f"{index}.{path.name}")


def interrupted(*_):
    raise KeyboardInterrupt


def each_shape(args, visit):
    """Calls visit(i, draw) for each shape until the time is up; returns how many there were."""
    signal.signal(signal.SIGTERM, interrupted)
    draw, start = random.Random(args.seed), time.monotonic()
    for i in range(args.n):
        if time.monotonic() - start > args.within:
            return i
        try:
            visit(i, draw)
        except KeyboardInterrupt:
            return i
    return args.n


def counted(args, done):
    """"200 shapes, seed 1", with those that were not run."""
    missing = "" if done == args.n else f" of {args.n}, then stopped"
    return f"{done} shapes{missing}, seed {args.seed}"
