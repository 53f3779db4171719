#!/usr/bin/env python3
"""Damages results, maps, profiles, traces, answers, loops and recordings in every way and lets
every command read them.

A file is taken, or refused with one short line; never a crash, a hang, gigabytes of memory or a
changed file, nor a figure that is none.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import json
import pathlib
import re
import sys
import tempfile

import campaign
import damage
from case import CONTROL, Case, trick
from modes import MODES, PROFILE, TINY, provide, read_json

FAST = f"{TINY} --variant streams,graph --time 10ms"
# How good files are made, the provided ones, what is read, and the sweep that continues a map.
MADE = {
    "results": f"run {FAST} --check --json out.json",
    "two workloads": "run --preset launch,search --variant streams,graph --time 10ms "
                     "--json out.json",
    "all variants": f"run {TINY} --time 10ms --json out.json",
    "processes": f"run {FAST} --processes 3 --json out.json",
    "aa": f"aa graph {TINY} --time 10ms --repeat 3 --json out.json",
    "break-even": f"run {FAST} --check --prove-break-even --json out.json",
    "traced": f"run {FAST} --json out.json --trace trace.json",
    "curve": "sweep chunks=1,2,4 --size 64K --time 1s --json out.json",
    "map": "sweep chunks=1,2 depth=1,2 --size 64K --time 1s --json out.json",
    "answers": "ask free_waits launch_constant host_function_late --json out.json",
    "loop": "loop pair --items 3 --json out.json",
    "gpu": "",
    "profile": "",
    "recording": "",
    "trace": f"run {FAST} --trace out.json",
}
PROVIDED = {"gpu": "gpu.json", "profile": PROFILE, "recording": "app.json"}
READERS = {
    "results": ["show bad.json", "show bad.json --all", "show bad.json --bounds --setup",
                "show bad.json --timeline --markdown", "show bad.json --quiet",
                "compare bad.json good.json", "compare good.json bad.json", "report bad.json",
                "compare bad.json bad.json --json out.json", "validate bad.json out.json"],
    "map": [],  # its own sweep
    "profile": [f"run {FAST} --profile bad.json", f"run {FAST} --profile bad.json --check",
                "calibrate out.json --profile bad.json",
                "validate gpu.json out.json --profile bad.json"],
    "trace": ["report good.json --trace bad.json"],
    "answers": ["show bad.json", "show bad.json free_waits", "show bad.json --markdown",
                "report good.json --answers bad.json"],
    "loop": ["show bad.json", "show bad.json pair", "show bad.json --markdown",
             "report good.json --loop bad.json"],
    "recording": ["diagnose bad.json", "diagnose bad.json --markdown",
                  "diagnose bad.json --json out.json --trace trace.json", "report bad.json",
                  "report bad.json good.json", "report good.json bad.json"],
}
KIND = {"curve": "map", "map": "map", "profile": "profile", "trace": "trace", "answers": "answers",
        "loop": "loop", "recording": "recording"}
CODES = {"show": {0, 2}, "compare": {0, 2}, "diagnose": {0, 2}, "validate": {0, 2, 4},
         "calibrate": {0, 2, 4}, "report": {0, 2, 4}, "run": {0, 2, 4}, "sweep": {0, 2, 4}}

NO_FIGURE = re.compile(r"\b-?(nan|inf)\b")


def content(path):
    return path.read_bytes() if path.is_file() and not path.is_symlink() else path.lstat().st_mode \
        if path.is_symlink() or path.exists() else None


def reader_of(draw, name):
    """A command that reads such files, or, now and then, another."""
    kind = KIND.get(name, "results")
    if draw.random() < 0.1:
        kind = draw.choice(list(READERS))
    if kind == "map":
        return MADE[name if name in ("curve", "map") else "map"].replace("out.json", "bad.json")
    return draw.choice(READERS[kind])


def check_map(case, good):
    """A sweep that went on with a damaged map is still that sweep, with a cell for every value."""
    held = read_json(case.folder / "bad.json") or {}
    for key in ("columns", "rows", "workload", "mode", "reference", "variants", "seed"):
        if held.get(key) != good.get(key):
            case.defect("a changed map is believed", f"{key}: {str(held.get(key))[:80]}")
    if [(c["column"], c["row"]) for c in held.get("cells", [])] != \
            [(c["column"], c["row"]) for c in good["cells"]]:
        case.defect("a changed map is believed", f"{len(held.get('cells', []))} cells")


def visit(case, good):
    draw, bad = case.draw, case.folder / "bad.json"
    name = case.comment = draw.choice(list(good))
    way = draw.random()
    if way < 0.6:
        bad.write_bytes(damage.values(draw, json.loads(good[name])))
    elif way < 0.98:
        bad.write_bytes(damage.of_bytes(draw, good[name], good[draw.choice(list(good))]))
    else:
        damage.not_a_file(draw, bad)
    (case.folder / "good.json").write_bytes(good["results"])
    (case.folder / "gpu.json").write_bytes(good["gpu"])
    before = content(bad)
    words = reader_of(draw, name).split()
    end = case.run(words, case.memory_limit(2), environment={"PYTHON": "true"})
    if case.check(end, CODES[words[0]]) and end.code == 2:
        case.check_refusal(end)
    screen = end.out.decode(errors="surrogateescape")
    if found := trick(screen):
        case.defect(f"{found} on the screen", repr(CONTROL.search(screen)[0]))
    if found := NO_FIGURE.search(screen):
        case.defect("a figure that is none", repr(screen[max(0, found.start() - 40):][:80]))
    if words[0] == "sweep" and end.code == 0:
        check_map(case, json.loads(good["map" if "depth=1,2" in words else "curve"]))
    if content(bad) != before and not (words[0] == "sweep" and end.code != 2):
        case.defect("the damaged file was changed", f"code {end.code}")


def main():
    args = campaign.arguments(__doc__, 20_000)
    good = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, words) in enumerate(MADE.items()):
            place = pathlib.Path(folder, str(number))
            place.mkdir()
            case = Case(args, 0, place)
            for mode in ("validate", "diagnose"):
                provide(MODES[mode], place)
            if words and case.run(words.split()).code != 0:
                sys.exit(f"cannot make a good file of kind '{name}': {case.ran}")
            good[name] = (place / PROVIDED.get(name, "out.json")).read_bytes()
    return campaign.each(args, lambda case: visit(case, good))


if __name__ == "__main__":
    sys.exit(main())
