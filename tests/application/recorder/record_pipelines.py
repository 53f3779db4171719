#!/usr/bin/env python3
"""Checks whether what `trilane record` finds in Trilane's own variants runs again as a pipeline
file.

For each variant on each preset: records it (recorder/app_variant) --with-data, writes the pipeline
file with `trilane diagnose --as-pipeline`, which must leave nothing to fill in, checks that file,
and runs it under streams, graph and serial. Every command must end with exit code 0. Prints a line
for each, with the times of a pass.

  record_pipelines.py [--only PRESET,...] [--variants NAME,...] [--keep FOLDER] [FOLDER]

FOLDER has trilane, recorder/app_variant, kernels/ and tests/variants/presets/; without one it is
this script's, as the install component gpu-tests lays them out. --keep saves recordings, pipeline
files and results there. Exit codes: 0 all ran, 1 some did not, 2 usage, 77 no GPU.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from chosen import chosen
from record_variants import PASSES, PRESETS, ensure_gpu, run

VARIANTS = ("streams", "engines", "pool")
RUN_AS = "streams,graph,serial"
# The kernels under the names that recordings have: those of the program are in namespaces.
SOURCE = """#include "{folder}/kernels/early.cuh"
#include "{folder}/kernels/mix.hpp"
#include "{folder}/kernels/quads.cuh"
namespace trilane {{
namespace {{
#include "{folder}/tests/variants/presets/preset.cu"
}}
}}
"""


def commands(folder, place, preset, variant):
    """From the recording to the results."""
    trilane, stem = folder / "trilane", place / f"{preset}_{variant}"
    recording, pipeline = f"{stem}.recording", f"{stem}_pipeline.json"
    yield (trilane, "record", "--with-data", "--no-replay", "--save", recording, "--force", "--",
           folder / "recorder" / "app_variant", variant, preset, PASSES)
    yield (trilane, "diagnose", recording, "--as-pipeline", pipeline, "--kernel",
           place / "own_kernels.cu", "--force")
    yield trilane, "pipeline", "check", pipeline
    yield (trilane, "run", "--pipeline", pipeline, "--variant", RUN_AS, "--time", "0.3s", "--json",
           f"{stem}_pipeline.results", "--force")


def why_failed(words, done):
    """None if the command did what it shall."""
    said = " ".join((done.stderr or done.stdout).split())
    if done.returncode != 0:
        return f"{' '.join(map(str, words[1:3]))} ended with {done.returncode}: {said}"
    left = [line for line in done.stdout.splitlines() if "ill in " in line]
    return f"is left to be done: {left[0]}" if words[1] == "diagnose" and left else None


def times_in(results):
    """The time of a pass under each variant, in words."""
    measured = json.loads(pathlib.Path(results).read_text())["comparisons"][0]["measurements"]
    return ", ".join(f"{one['variant']} {one['wall']['median']:.1f} us" if one["status"] == "ok"
                     else f"{one['variant']} {one['status']}" for one in measured)


def ran(folder, place, preset, variant):
    """Prints the line; returns whether every command did what it shall."""
    for words in commands(folder, place, preset, variant):
        why = why_failed(words, run(words))
        if why:
            print(f"FAILED  {preset} {variant}: {why}", flush=True)
            return False
    times = times_in(place / f"{preset}_{variant}_pipeline.results")
    print(f"passed  {preset} {variant}: {times}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="launch,balanced")
    parser.add_argument("--variants", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent)
    given = parser.parse_args()
    folder = given.folder.resolve()
    presets = chosen(given.only, PRESETS, "preset")
    variants = chosen(given.variants, VARIANTS, "variant")
    ensure_gpu(folder)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        place = given.keep or pathlib.Path(name)
        place.mkdir(parents=True, exist_ok=True)
        (place / "own_kernels.cu").write_text(SOURCE.format(folder=folder))
        for preset in presets:
            failed += sum(not ran(folder, place, preset, variant) for variant in variants)
    print(f"{failed} of {len(presets) * len(variants)} failed" if failed else "all ran")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
