#!/usr/bin/env python3
"""Checks whether `trilane record` finds in Trilane's own variants what their plans say, and their
times.

Runs each variant on each preset as an application (recorder/app_variant), in several processes by
itself and in as many under `trilane record`. Output and exit code must be the same, and operations,
bytes, nodes and edges of the recorded iteration those of the plan. Where what repeats is an equal
part of a pass, it is recorded once more with --iteration pass, and that is said and compared.

Times are only shown, with 95% intervals from the spread of the processes, which place memory
differently: of the variant by itself; of the recorded processes' own passes, once the recorder is
done; of the replays of the same calls. A replay is "outside" of either where the interval of their
ratio misses 1: of the ratios within the recorded processes, or of the processes by themselves. The
graph of `streams`, with the host code of `graph` in place of that of `streams`, which it keeps, is
compared with the variant `graph` by itself.

  record_variants.py [--only PRESET,...] [--variants NAME,...] [--budget SECONDS] [--processes N]
                     [--keep FOLDER] [FOLDER]

FOLDER has trilane and recorder/app_variant; without one it is this script's, as the install
component gpu-tests lays them out. --keep saves PRESET_VARIANT.recording, .results and .txt, which
has what trilane said. Exit codes: 0 no defect, 1 defects, 2 usage, 77 no GPU.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from chosen import chosen
from variant_counts import is_found, misfits, parts_of_pass
from variant_times import (FEWEST_PROCESSES, MOST_PROCESSES, Misses, mean_of_processes,
                           medians_of_processes, ratio_of_groups, ratio_of_pairs)

LIMIT_S = 120
PRESETS = ("launch", "transfer", "balanced", "compute", "reduce", "search")
# The recorder needs up to 120 iterations, including those for the device times and a margin.
PASSES, FEWEST_PASSES = 200, 40
LONG_PASSES = {"transfer": 60}  # enough of these, because few of them are watched
ALONE_S, REPLAY_TIME = 0.2, "300ms"
NO_GPU, NOT_POSSIBLE, TOO_LONG = 3, 4, 124


@dataclasses.dataclass
class Printed:
    """Holds what a run of app_variant printed."""
    plan: dict
    checksum: str
    us: float  # median of a pass, in the second half of the run


@dataclasses.dataclass
class Row:
    variant: str
    plan: dict = None
    checksum: str = ""
    alone_us: list = dataclasses.field(default_factory=list)  # the median of each process
    recorded_us: list = dataclasses.field(default_factory=list)  # recorded processes' own passes
    own_us: float = 0  # its own code in an iteration
    replayed_us: dict = dataclasses.field(default_factory=dict)  # by candidate, for each process
    notes: list = dataclasses.field(default_factory=list)
    defects: list = dataclasses.field(default_factory=list)

    def alone(self):
        return mean_of_processes(self.alone_us)

    def recorded(self):
        return mean_of_processes(self.recorded_us)

    def replayed(self):
        return mean_of_processes(self.replayed_us.get("calls", []))

    def of_recorded(self):
        """None where not every process was replayed."""
        return ratio_of_pairs(self.replayed_us.get("calls", []), self.recorded_us)

    def of_alone(self):
        return ratio_of_groups(self.replayed_us.get("calls", []), self.alone_us)


@dataclasses.dataclass
class Tally:
    recorded: Misses = dataclasses.field(default_factory=Misses)
    alone: Misses = dataclasses.field(default_factory=Misses)


def run(words, processes=1):
    words, limit_s = [str(word) for word in words], LIMIT_S * processes
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, TOO_LONG, "", f"no end after {limit_s} s")


def printed(output):
    """Of each run that came to its end."""
    runs = re.findall(r"(?m)^plan: (.*)\nmedian_us (\S+)\nchecksum (\w+)$", output)
    return [Printed({name: int(value) for name, value in
                     (pair.rsplit(" ", 1) for pair in plan.split(", "))}, checksum, float(us))
            for plan, us, checksum in runs]


def complaints(said):
    """trilane's lines, without the diagnosis."""
    return "; ".join(re.findall(r"(?m)^trilane: (.*)$", said)) or said.strip()


def why_not_replayed(said):
    reason = re.search(r"(?s)Nothing\s+is\s+claimed:\s+(.*?)\.?\s*(\n\s*\n|$)", said)
    return " ".join(reason[1].split()) if reason else complaints(said) or "no reason was given"


def run_alone(row, words):
    """Runs the variant by itself once more. Returns whether it can be."""
    done = run([*words, FEWEST_PASSES, ALONE_S])
    if done.returncode == NOT_POSSIBLE:
        row.notes.append(done.stderr.strip())
        return False
    runs = printed(done.stdout)
    if done.returncode != 0 or len(runs) != 1:
        row.defects.append(f"alone it ended with {done.returncode}: {done.stderr.strip()}")
        return False
    found = runs[0]
    if row.plan and found.checksum != row.checksum:
        row.defects.append(f"checksums of two processes: {row.checksum}, {found.checksum}")
    row.plan, row.checksum = found.plan, found.checksum
    row.alone_us.append(found.us)
    return True


def record(row, words, stem, given, options=()):
    """Returns the recording, or None. The files' names begin with `stem`."""
    saved, results = pathlib.Path(f"{stem}.recording"), pathlib.Path(f"{stem}.results")
    for path in (saved, results):
        path.unlink(missing_ok=True)
    done = run([given.folder / "trilane", "record", "--all", "--processes", given.processes, "--time",
                REPLAY_TIME, "--save", saved, "--results", results, "--force", *options, "--",
                *words, LONG_PASSES.get(words[-1], PASSES), ALONE_S], given.processes)
    runs = printed(done.stdout)
    pathlib.Path(f"{stem}.txt").write_text(done.stderr)
    if done.returncode != 0:
        row.defects.append(f"exit code {done.returncode}: {complaints(done.stderr)}")
    elif [one.checksum for one in runs] != [row.checksum] * given.processes:
        row.defects.append(f"checksum {row.checksum} became "
                           f"{', '.join(one.checksum for one in runs) or 'none'}")
    row.recorded_us = [one.us for one in runs]
    if not saved.exists() or not saved.stat().st_size:
        row.defects.append("nothing was saved")
        return None
    return json.loads(saved.read_text())


def record_pass(row, words, stem, given):
    """Records the variant, once more where what repeats is a part of a pass; reads what was found.
    Only the last one's times count."""
    recording = record(row, words, stem, given)
    parts = parts_of_pass(row.plan, recording) if recording and is_found(recording) else 1
    if parts > 1:
        row.notes.append(f"1/{parts} of a pass repeats: recorded again with --iteration pass")
        stem = f"{stem}_pass"
        recording = record(row, words, stem, given, ("--iteration", "pass"))
    if recording:
        read_recording(row, recording)
    read_results(row, stem)


def read_recording(row, recording):
    row.own_us = sum(call.get("own_us", 0) for call in recording["calls"])
    if is_found(recording):
        row.defects += misfits(row.plan, recording)
    elif row.plan["host_threads"] == 0:  # otherwise the threads' calls may come in any order
        row.defects.append(f"no iteration was found: {recording['why_none']}")


def read_results(row, stem):
    path = pathlib.Path(f"{stem}.results")
    if not path.exists() or not path.stat().st_size:
        row.notes.append(why_not_replayed(pathlib.Path(f"{stem}.txt").read_text()))
        return
    for one in json.loads(path.read_text())["comparisons"][0]["measurements"]:
        if one["status"] == "ok":
            row.replayed_us[one["variant"]] = medians_of_processes(one["samples"])
        elif one["variant"] == "calls" or one["status"] == "failed":
            row.defects.append(f"replayed as {one['variant']}: {one['status']}: {one['message']}")


def row_of(variant, preset, given, place):
    """Runs the variant by itself and recorded."""
    row = Row(variant)
    words = [given.folder / "recorder" / "app_variant", variant, preset]
    if run_alone(row, words):
        record_pass(row, words, place / f"{preset}_{variant}", given)
        while len(row.alone_us) < given.processes and run_alone(row, words):
            pass
    return row


def print_time(name, times, of_recorded, of_alone, tally):
    """A line of the table."""
    own = tally.recorded.add(of_recorded) if of_recorded else ""
    itself = tally.alone.add(of_alone) if of_alone else ""
    columns = "".join(f"{str(time or ''):<28}" for time in times)
    print(f"{name:<18}{columns}{own:<24}{itself}".rstrip())


def print_rows(preset, rows, tally):
    """The table of a preset."""
    print(f"\n{preset:<18}{'by itself, us':<28}{'recorded, us':<28}{'replayed, us':<28}"
          f"{'of recorded':<24}of itself")
    for row in rows:
        print_time(row.variant, (row.alone(), row.recorded(), row.replayed()), row.of_recorded(),
                   row.of_alone(), tally)
        for note in row.notes:
            print(f"  {note}")
        for defect in row.defects:
            print(f"  FAILED: {defect}")
    # The graph made of streams is the variant graph; that of others is not a variant.
    of = {row.variant: row for row in rows}
    if "streams" in of and "graph" in of:
        own_us = of["streams"].own_us - of["graph"].own_us
        graph_us = [us - own_us for us in of["streams"].replayed_us.get("graph", [])]
        alone = of["graph"].alone()
        if alone and graph_us:
            print_time("streams as graph", (alone, None, mean_of_processes(graph_us)), None,
                       ratio_of_groups(graph_us, of["graph"].alone_us), tally)
            print(f"  less {own_us:.1f} us of host code, which streams has more of than graph")
    checksums = {row.checksum for row in rows if row.checksum}
    if len(checksums) > 1:
        print(f"  FAILED: the variants' outputs differ: {', '.join(sorted(checksums))}")
        rows[0].defects.append("outputs differ")
    sys.stdout.flush()


def print_misses(tally):
    print(f"\nreplayed times outside of the recorded processes' own passes: {tally.recorded}\n"
          f"of the variant by itself: {tally.alone}")


def variants_of(trilane):
    """The names in `trilane list`."""
    listed = run([trilane, "list"]).stdout.split("\n\n")[0]
    return re.findall(r"(?m)^  (\w+)  ", listed)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--variants", default="")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent)
    given = parser.parse_args()
    if not FEWEST_PROCESSES <= given.processes <= MOST_PROCESSES:
        parser.error(f"--processes {given.processes}: {FEWEST_PROCESSES} to {MOST_PROCESSES}")
    return given


def ensure_gpu(folder):
    first = run([folder / "recorder" / "app_variant", "serial", "search", FEWEST_PASSES])
    if first.returncode == NO_GPU and os.environ.get("TRILANE_REQUIRE_GPU") != "1":
        print(f"skipped for want of a GPU: {first.stderr.strip()}")
        sys.exit(77)


def rows_of(presets, variants, given, place):
    """Yields each preset with its rows, until the budget is spent."""
    end = time.monotonic() + given.budget
    for preset in presets:
        rows = []
        for variant in variants:
            if time.monotonic() < end:
                rows.append(row_of(variant, preset, given, place))
        if rows:
            yield preset, rows


def main():
    given = read_arguments()
    ensure_gpu(given.folder)
    presets = chosen(given.only, PRESETS, "preset")
    variants = chosen(given.variants, variants_of(given.folder / "trilane"), "variant")
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    tally, failed, ran, start = Tally(), 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        for preset, rows in rows_of(presets, variants, given, given.keep or pathlib.Path(name)):
            print_rows(preset, rows, tally)
            failed += sum(bool(row.defects) for row in rows)
            ran += len(rows)
    print_misses(tally)
    left = len(presets) * len(variants) - ran
    print(f"{ran} variants recorded in {time.monotonic() - start:.0f} s" +
          (f"; {left} were not, for want of time" if left else ""))
    print(f"{failed} of them have defects" if failed else "no defect")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
