#!/usr/bin/env python3
"""Whether `trilane record` finds in Trilane's own variants what their plans say, and their times.

Runs each variant on each preset as an application (recorder/app_variant) by itself and under
`trilane record`. Output and exit code must be the same, and operations, bytes, nodes and edges of
the recorded iteration those of the plan. Times are only shown: those of the replay are marked
"outside" where the same calls are not within the interval of the variant itself, or the graph of
`streams` not within that of the variant `graph`, each widened by 5%.

  record_variants.py [--only PRESET,...] [--variants NAME,...] [--budget SECONDS] [FOLDER]

FOLDER has trilane and recorder/app_variant; without one it is this script's, as the install
component gpu-tests lays them out. Exit codes: 0 no defect, 1 defects, 2 usage, 77 no GPU.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_S = 120
WIDENED = 0.05
# So many take about a second on an H200.
PASSES = {"launch": 1000, "transfer": 100, "balanced": 600, "compute": 300, "reduce": 400,
          "search": 400}
NO_GPU, NOT_POSSIBLE = 3, 4
ON_HOST = ("pinned", "pageable")


@dataclasses.dataclass
class Own:
    """What app_variant printed."""
    plan: dict
    checksum: str
    median_us: float
    low_us: float
    high_us: float

    def has(self, us):
        return self.low_us * (1 - WIDENED) <= us <= self.high_us * (1 + WIDENED)


@dataclasses.dataclass
class Row:
    variant: str
    own: Own = None
    watched_us: float = None  # in the recorded application, while only its last call was watched
    replayed_us: dict = dataclasses.field(default_factory=dict)  # by candidate
    note: str = ""
    defects: list = dataclasses.field(default_factory=list)


def run(words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=LIMIT_S, check=False)


def own_of(output):
    plan = re.search(r"(?m)^plan: (.*)$", output)
    pairs = (pair.rsplit(" ", 1) for pair in plan[1].split(", "))
    times = re.search(r"(?m)^median_us (\S+) low_us (\S+) high_us (\S+)$", output)
    return Own({name: int(value) for name, value in pairs},
               re.search(r"(?m)^checksum (\w+)$", output)[1], *map(float, times.groups()))


def way_of(operation, memory):
    """Which way a copy goes."""
    kinds = {use["use"]: memory[use["memory"]]["kind"] for use in operation["uses"]}
    if kinds.get("reads") in ON_HOST:
        return "in"
    return "out" if kinds.get("writes") in ON_HOST else "unknown"


def counted(recording):
    """Operations of the recorded iteration, and the nodes and edges of the graphs it launches."""
    graphs = [recording["graphs"][call["graph"]] for call in recording["calls"]
              if call["kind"] == "graph launch" and "graph" in call]
    nodes = [node for graph in graphs for node in graph["nodes"]]
    operations = recording["calls"] + nodes
    count = dict.fromkeys(("copies_in", "copies_out", "copies_unknown", "bytes_in", "bytes_out",
                           "bytes_unknown"), 0)
    for copy in (each for each in operations if each["kind"] == "copy"):
        way = way_of(copy, recording["memory"])
        count[f"copies_{way}"] += 1
        count[f"bytes_{way}"] += copy["bytes"]
    for name, kind in (("kernels", "kernel"), ("memsets", "memset")):
        count[name] = sum(each["kind"] == kind for each in operations)
    for name, kind in (("kernel_nodes", "kernel"), ("memcpy_nodes", "copy"),
                       ("memset_nodes", "memset"), ("alloc_nodes", "stream-ordered allocation"),
                       ("free_nodes", "stream-ordered free")):
        count[name] = sum(node["kind"] == kind for node in nodes)
    count["roots"] = sum(not node["after"] for node in nodes)
    count["edges"] = sum(len(node["after"]) for node in nodes)
    return count


def together(count):
    """The same without the ways that copies go."""
    rest = {name: value for name, value in count.items() if name[:6] not in ("copies", "bytes_")}
    for what in ("copies", "bytes"):
        rest[what] = sum(count.get(f"{what}_{way}", 0) for way in ("in", "out", "unknown"))
    return rest


def misfits(plan, recording):
    """Where the recorded iteration is not what the plan says."""
    found, wanted = counted(recording), plan
    if found["copies_unknown"]:
        found, wanted = together(found), together(plan)
    misses = [f"{name}: planned {wanted[name]}, recorded {found[name]}"
              for name in wanted if name in found and wanted[name] != found[name]]
    unknown = sum(call["kind"] == "graph launch" and "graph" not in call
                  for call in recording["calls"])
    return misses + ([f"{unknown} launches of graphs that are not known"] if unknown else [])


def why_not_replayed(said):
    reason = re.search(r"(?s)Nothing\s+is\s+claimed:\s+(.*?)\.?\s*(\n\s*\n|$)", said)
    return " ".join(reason[1].split()) if reason else "no replay, and no reason given"


def read_recording(row, path):
    if not path.exists():
        row.defects.append("nothing was saved")
        return
    recording = json.loads(path.read_text())
    if recording["watched_us"]:
        row.watched_us = statistics.median(recording["watched_us"])
    if recording["found"] != "none":
        row.defects += misfits(row.own.plan, recording)
    elif row.own.plan["host_threads"] == 0:  # otherwise the threads' calls may come in any order
        row.defects.append(f"no iteration was found: {recording['why_none']}")


def read_results(row, path, said):
    if not path.exists() or not path.stat().st_size:
        row.note = why_not_replayed(said)
        return
    for one in json.loads(path.read_text())["comparisons"][0]["measurements"]:
        if one["status"] == "ok":
            row.replayed_us[one["variant"]] = one["wall"]["median"]
        elif one["variant"] == "calls" or one["status"] == "failed":
            row.defects.append(f"replayed as {one['variant']}: {one['status']}: {one['message']}")


def row_of(variant, preset, folder):
    """Runs the variant by itself and recorded."""
    row = Row(variant)
    words = [folder / "recorder" / "app_variant", variant, preset, PASSES[preset]]
    alone = run(words)
    if alone.returncode == NOT_POSSIBLE:
        row.note = alone.stderr.strip()
        return row
    if alone.returncode != 0:
        row.defects.append(f"alone it ended with {alone.returncode}: {alone.stderr.strip()}")
        return row
    row.own = own_of(alone.stdout)
    with tempfile.TemporaryDirectory() as name:
        saved, results = pathlib.Path(name) / "recording", pathlib.Path(name) / "results.json"
        recorded = run([folder / "trilane", "record", "--time", "1s", "--save", saved, "--results",
                        results, "--force", "--", *words])
        if recorded.returncode != 0:
            row.defects.append(f"exit code {recorded.returncode}: {recorded.stderr.strip()}")
        else:
            checksum = own_of(recorded.stdout).checksum
            if checksum != row.own.checksum:
                row.defects.append(f"checksum {row.own.checksum} became {checksum}")
            read_recording(row, saved)
            read_results(row, results, recorded.stderr)
    return row


def shown(replayed, own, width):
    """A replayed time, its ratio, and whether it lies outside."""
    if replayed is None or own is None:
        return " " * width, False
    outside = not own.has(replayed)
    text = f"{replayed:.1f} ({replayed / own.median_us:.3f}){' outside' if outside else ''}"
    return f"{text:<{width}}", outside


def print_rows(preset, rows):
    """The table of a preset; returns how many times lie outside, of how many."""
    owns = {row.variant: row.own for row in rows}
    marks = []
    print(f"\n{preset:<16}{'own, us':<30}{'recorded':<10}{'replayed calls (ratio)':<26}graph")
    for row in rows:
        own = row.own
        calls, calls_mark = shown(row.replayed_us.get("calls"), own, 26)
        # The graph that streams becomes is the variant graph; that of others is not a variant.
        other = owns.get("graph") if row.variant == "streams" else None
        graph, graph_mark = shown(row.replayed_us.get("graph"), other, 0)
        times = f"{own.median_us:.1f} [{own.low_us:.1f}, {own.high_us:.1f}]" if own else ""
        watched = f"{row.watched_us:.1f}" if row.watched_us else ""
        print(f"{row.variant:<16}{times:<30}{watched:<10}{calls}{graph}{row.note}".rstrip())
        for defect in row.defects:
            print(f"  FAILED: {defect}")
        marks += [calls_mark] if calls.strip() else []
        marks += [graph_mark] if graph.strip() else []
    checksums = {row.own.checksum for row in rows if row.own}
    if len(checksums) > 1:
        print(f"  FAILED: the variants' outputs differ: {', '.join(sorted(checksums))}")
        rows[0].defects.append("outputs differ")
    sys.stdout.flush()
    return sum(marks), len(marks)


def variants_of(trilane):
    """The names in `trilane list`."""
    listed = run([trilane, "list"]).stdout.split("\n\n")[0]
    return re.findall(r"(?m)^  (\w+)  ", listed)


def chosen(text, known, what):
    names = [name for name in text.split(",") if name] or list(known)
    for name in names:
        if name not in known:
            print(f"record_variants.py: there is no {what} '{name}'; there are {', '.join(known)}",
                  file=sys.stderr)
            sys.exit(2)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--variants", default="")
    parser.add_argument("--budget", type=float, default=float("inf"))
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent)
    given = parser.parse_args()
    first = run([given.folder / "recorder" / "app_variant", "serial", "search", "40"])
    if first.returncode == NO_GPU and os.environ.get("TRILANE_REQUIRE_GPU") != "1":
        print(f"skipped for want of a GPU: {first.stderr.strip()}")
        return 77
    presets = chosen(given.only, PASSES, "preset")
    variants = chosen(given.variants, variants_of(given.folder / "trilane"), "variant")
    end = time.monotonic() + given.budget
    outside = timed = failed = ran = 0
    for preset in presets:
        rows = []
        for variant in variants:
            if time.monotonic() < end:
                rows.append(row_of(variant, preset, given.folder))
        if not rows:
            continue
        marked, shown_times = print_rows(preset, rows)
        outside, timed, ran = outside + marked, timed + shown_times, ran + len(rows)
        failed += sum(bool(row.defects) for row in rows)
    left = len(presets) * len(variants) - ran
    print(f"\n{outside} of {timed} replayed times lie outside" +
          (f"; {left} recordings were not made within the budget" if left else ""))
    print(f"{failed} of {ran} recordings have defects" if failed else "no defect")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
