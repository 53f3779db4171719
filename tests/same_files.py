#!/usr/bin/env python3
"""Checks whether two builds of trilane-sim write the same files.

Runs both over the same command lines with the same seed, on the simulated device, and compares
what they write, value by value. What may differ by nature (revision, times of day, the command's
own name) is left out; words that people read are compared apart, and listed.

Usage: same_files.py OLD NEW [--added KEY]... [--words]
  OLD, NEW     two programs trilane-sim
  --added KEY  a key that only NEW's files have, wherever it stands, as is
               results_schema_version when it changed
  --words      words that differ are a difference, too
Exit codes: 0 the same, 1 not the same, 2 usage.
"""

import argparse
import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "plots" / "results"
RECORDINGS = ROOT / "tests" / "application" / "recordings"

# Each writes out.json, out.csv or both, and some a trace; "diff" compares two committed files.
COMMANDS = {
    "all": "--seed 7 --time 20ms --json out.json --csv out.csv",
    "throughput": "--seed 3 --mode throughput --preset launch,transfer --time 20ms --json out.json",
    "sweep": "sweep chunk-size=4K..1M:3 chunks=2,16 --seed 5 --time 500ms --json out.json",
    "aa": "aa streams --seed 11 --preset launch,balanced --repeat 3 --time 20ms --json out.json",
    "slowed": "aa graph --seed 11 --preset launch --slow-down 5% --time 20ms --json out.json",
    "processes": "--seed 2 --preset launch,search --processes 2 --time 20ms --json out.json "
                 "--csv out.csv",
    "settings": "--seed 2 --preset launch --host-memory pinned,pageable --time 20ms "
                "--json out.json",
    "curve": "sweep chunks=1,2,4 --seed 4 --preset balanced --time 500ms --json out.json",
    "pools": "--seed 4 --preset launch --pool default/threshold=0/opportunistic=on --time 20ms "
             "--json out.json",
    "break_even": "--seed 4 --preset launch --variant streams,graph --prove-break-even --check "
                  "--time 20ms --json out.json",
    "trace": "--seed 6 --preset transfer,launch --time 20ms --json out.json --trace trace.json",
    "plan": "plan",
    "diff": "compare h200.json traced.json --json out.json",
    **{f"diagnose {path.stem}": f"diagnose {path} --json out.json"
       for path in sorted(RECORDINGS.glob("*.json"))},
}

# Not determined by the program.
MOVES = {"git_revision", "revision", "started", "finished", "command_line", "build_type", "host",
         "environment", "tool_version", "command", "run"}
# Text for people; its figures are elsewhere in the file.
WORDS = {"verdict", "regime", "message", "figures", "next", "notes", "why", "reason", "text"}


def run(program, name, folder):
    """Runs one command in a folder of its own; gives its exit code and standard output."""
    folder.mkdir(parents=True)
    for results in ("h200", "traced") if name == "diff" else ():
        content = gzip.decompress((RESULTS / f"{results}.json.gz").read_bytes())
        (folder / f"{results}.json").write_bytes(content)
    done = subprocess.run([program, *COMMANDS[name].split()], cwd=folder, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        print(f"{name}: {program} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.returncode, done.stdout


def differences(old, new, added, place=""):
    """Yields (place, whether it is words, old, new) for all that differs."""
    key = place.rsplit(".", 1)[-1].split("[")[0]
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            if name in MOVES or name in added:
                continue
            if name not in old or name not in new:
                yield f"{place}.{name}", False, name in old, name in new
                continue
            yield from differences(old[name], new[name], added, f"{place}.{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, added, f"{place}[{i}]")
    elif old != new:
        yield place, key in WORDS and isinstance(old, str), old, new


def read(path):
    text = path.read_text()
    return json.loads(text) if path.suffix == ".json" else text.splitlines()


def compare(name, old, new, added):
    """All differences of one command's files."""
    files = {p.name for folder in (old, new) for p in folder.iterdir()}
    for file in sorted(files):
        if not (old / file).exists() or not (new / file).exists():
            yield f"{name}/{file}", False, (old / file).exists(), (new / file).exists()
            continue
        for place, words, before, after in differences(read(old / file), read(new / file), added):
            yield f"{name}/{file}{place}", words, before, after


def main():
    parser = argparse.ArgumentParser(description=__doc__, add_help=True,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--added", action="append", default=[])
    parser.add_argument("--words", action="store_true")
    options = parser.parse_args()
    different = reworded = 0
    with tempfile.TemporaryDirectory() as temporary:
        top = pathlib.Path(temporary)
        for name in COMMANDS:
            with concurrent.futures.ThreadPoolExecutor() as both:
                ends = list(both.map(run, (options.old.resolve(), options.new.resolve()),
                                     (name, name), (top / "old" / name, top / "new" / name)))
            found = list(compare(name, top / "old" / name, top / "new" / name, options.added))
            if ends[0][0] != ends[1][0]:
                found.append((f"{name}: exit code", False, ends[0][0], ends[1][0]))
            figures = [d for d in found if not d[1]]
            words = [d for d in found if d[1]]
            different += len(figures) + (len(words) if options.words else 0)
            reworded += len(words)
            files = ", ".join(sorted(p.name for p in (top / "new" / name).iterdir())) or "no file"
            print(f"{name}: {files}: {len(figures)} values differ, {len(words)} reworded")
            for place, _, before, after in (figures + words)[:8]:
                print(f"  {place}\n    old: {str(before)[:160]}\n    new: {str(after)[:160]}")
    print(f"{different} differences, {reworded} reworded texts")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
