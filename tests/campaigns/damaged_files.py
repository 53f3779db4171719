#!/usr/bin/env python3
"""Damages results, maps, profiles and traces in every way and lets every command read them.

A file is taken, or refused with one short line; never a crash, a hang, gigabytes of memory or a
changed file, nor a figure that is none.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import copy
import json
import os
import pathlib
import re
import sys
import tempfile

import campaign
from modes import MODES, TINY, provide

FAST = f"{TINY} --variant streams,graph --time 10ms"
# How good files are made, what is read, and the sweep that goes on with a map.
MADE = {
    "results": f"run {FAST} --check --json out.json",
    "two workloads": "run --preset launch,search --variant streams,graph --time 10ms --json out.json",
    "all variants": f"run {TINY} --time 10ms --json out.json",
    "processes": f"run {FAST} --processes 3 --json out.json",
    "aa": f"aa graph {TINY} --time 10ms --repeat 3 --json out.json",
    "break-even": f"run {FAST} --check --prove-break-even --json out.json",
    "traced": f"run {FAST} --json out.json --trace trace.json",
    "curve": "sweep chunks=1,2,4 --size 64K --time 1s --json out.json",
    "map": "sweep chunks=1,2 depth=1,2 --size 64K --time 1s --json out.json",
    "profile": "calibrate out.json",
    "gpu": "",
    "trace": f"run {FAST} --trace out.json",
}
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
}
KIND = {"curve": "map", "map": "map", "profile": "profile", "trace": "trace"}
CODES = {"show": {0, 2}, "compare": {0, 2}, "validate": {0, 2}, "calibrate": {0, 2, 4},
         "report": {0, 2, 4}, "run": {0, 2, 4}, "sweep": {0, 2, 4}}

NO_FIGURE = re.compile(r"\b-?(nan|inf)\b")
NUMBERS = ["1e308", "-1e308", "1e400", "1" + "0" * 400, "-1", "0", "-0.0", "1e-320", "NaN",
           "Infinity", "18446744073709551615", "18446744073709551616", "9223372036854775808",
           "2147483648", "1e18", "1e16", "0.1", "1e6", "3"]
OTHERS = ["null", "true", "[]", "{}", '""', '"\\u0000"', '"\\u001b[2J\\u0007"', '"a\\nb\\r\\nc"',
          '"' + "x" * 100_000 + '"', '"\\ud800"', '"\\u202etxt"', '"\xff\xfe"', "[[[[[]]]]]", '"nan"',
          "[" * 5000 + "]" * 5000, '{"a": {"a": {"a": 1}}}', '"<script>alert(1)</script>"']


def places(value, found):
    """All members and elements below a value, as (container, key)."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            places(value[key], found)
    return found


def damage_values(draw, held):
    """Changes one to four members; gives the text."""
    held, raw = copy.deepcopy(held), {}
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        where, key = draw.choice(places(held, []))
        way = draw.randrange(8)
        if way <= 3:
            mark = f"raw{len(raw)}"
            raw[mark] = draw.choice(NUMBERS if draw.random() < 0.6 else OTHERS)
            where[key] = mark
        elif way == 4:
            del where[key]
        elif way == 5 and isinstance(where, dict):
            where[draw.choice([key + "x", key.upper(), "", "schema"])] = where.pop(key)
        elif way == 6 and isinstance(where, list):
            where[key:key] = [where[key]] * draw.choice([1, 2, 1000])
        else:
            other, name = draw.choice(places(held, []))
            where[key] = copy.deepcopy(other[name])
    text = json.dumps(held)
    for mark, value in raw.items():
        text = text.replace(f'"{mark}"', value)
    return text.encode("latin-1")


def damage_bytes(draw, text, other):
    """Flips, cuts, splices, repeats."""
    text = bytearray(text)
    way = draw.randrange(6)
    at = draw.randrange(len(text))
    if way == 0:
        for _ in range(draw.choice([1, 2, 10, 100])):
            text[draw.randrange(len(text))] ^= 1 << draw.randrange(8)
    elif way == 1:
        del text[at:]
    elif way == 2:
        text[at:] = other[draw.randrange(len(other)):]
    elif way == 3:
        del text[at:at + draw.choice([1, 10, 1000])]
    elif way == 4:
        text[at:at] = text[at:at + draw.choice([1, 10, 1000, 100_000])]
    else:
        text[at:at] = draw.choice([b"\0", b"\xff", b"\x1b[2J", b"[" * 100_000, b"9" * 1000, b"\\"])
    return bytes(text)


def not_a_file(draw, path):
    """Something else in the file's place."""
    way = draw.randrange(8)
    if way == 0:
        os.mkfifo(path)
    elif way == 1:
        path.mkdir()
    elif way == 2:
        path.symlink_to(path.name)
    elif way == 3:
        path.touch()
    elif way == 4:
        path.write_text("[" + "0," * (100 << 20) + "0]")  # 200 MB
    elif way <= 6:
        path.symlink_to(["/dev/zero", "/dev/full"][way - 5])


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


def visit(case, good):
    draw, bad = case.draw, case.folder / "bad.json"
    name = draw.choice(list(good))
    way = draw.random()
    if way < 0.6:
        bad.write_bytes(damage_values(draw, json.loads(good[name])))
    elif way < 0.98:
        bad.write_bytes(damage_bytes(draw, good[name], good[draw.choice(list(good))]))
    else:
        not_a_file(draw, bad)
    (case.folder / "good.json").write_bytes(good["results"])
    (case.folder / "gpu.json").write_bytes(good["gpu"])
    before = content(bad)
    words = reader_of(draw, name).split()
    end = case.run(words, case.memory_limit(2), environment={"PYTHON": "true"})
    case.ran += f"  # a damaged file of kind '{name}'"
    if case.check(end, CODES[words[0]]) and end.code == 2:
        case.check_refusal(end)
    screen = end.out.decode(errors="surrogateescape")
    if found := campaign.CONTROL.search(screen):
        case.defect("control characters on the screen", repr(found[0]))
    if found := NO_FIGURE.search(screen):
        case.defect("a figure that is none", repr(screen[max(0, found.start() - 40):][:80]))
    if content(bad) != before and not (words[0] == "sweep" and end.code != 2):
        case.defect("the damaged file was changed", f"code {end.code}")


def main():
    args = campaign.arguments(__doc__, 20_000)
    good = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, words) in enumerate(MADE.items()):
            place = pathlib.Path(folder, str(number))
            place.mkdir()
            case = campaign.Case(args, 0, place)
            provide(MODES["validate"], place)
            if words and case.run(words.split()).code != 0:
                sys.exit(f"cannot make a good file of kind '{name}': {case.ran}")
            good[name] = (place / ("out.json" if words else "gpu.json")).read_bytes()
    return campaign.each(args, lambda case: visit(case, good))


if __name__ == "__main__":
    sys.exit(main())
