#!/usr/bin/env python3
"""Breaks outputs of every mode: full disks, closed streams, readers that are gone, slow or asleep.

What fails is said once, and the exit code is 5. Every other output must be whole, and all that was
to be measured is in it.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import campaign
from modes import MODES, TINY, TWO, Mode, provide, reads

MORE = {
    "json on stdout": Mode(f"run --preset launch,search {TWO} --json - --csv r.csv", ("r.csv",)),
    "csv on stdout": Mode(f"run --preset launch,search {TWO} --csv - --json r.json", ("r.json",)),
}
ALL = {**MODES, **MORE}

# The shell's words for a broken stream, which of them fail, and whether that is an error.
STREAMS = {
    "stdout full": ("", "> /dev/full"), "stdout closed": ("", ">&-"),
    "stderr full": ("", "2> /dev/full"), "stderr closed": ("", "2>&-"),
    "stdin closed": ("", "<&-"), "all closed": ("", "<&- >&- 2>&-"),
    "both full": ("", "> /dev/full 2> /dev/full"),
}
READERS = ("stdout gone", "stdout slow", "stdout asleep", "stderr gone", "stderr slow")
FILES = ("file limit", "file limit ignored", "folder removed", "small disk")
TMPDIRS = ("TMPDIR missing", "TMPDIR full", "TMPDIR not writable")


def whole(path):
    """Whether a file is complete, and what it holds of both workloads is there."""
    if path.suffix == ".csv":
        lines = path.read_text().split("\n")
        return len(lines) > 2 and lines[-1] == "" and len({ln.count(",") for ln in lines[:-1]}) == 1
    held = campaign.read_json(path)
    return held is not None and all(s == "ok" for c in campaign.statuses(held) for s in c)


def check_files(case, mode, broken=()):
    """The sound outputs are whole; broken ones are whole or absent."""
    for name in mode.outputs:
        path = case.folder / name
        if not path.is_file():
            if name not in broken:
                case.defect("a sound output is missing", name)
        elif not whole(path):
            case.defect("an output is not whole", name)
        elif (again := reads(name, case.folder)) and (end := case.run_aside(again)).code != 0:
            case.defect("an output cannot be read again", f"{name}: {end.last_words()}")
        if "launch,search" in mode.words and path.suffix == ".csv" and path.is_file() and \
                "search" not in path.read_text():
            case.defect("later workloads did not run", name)
    if left := [p.name for p in case.folder.rglob(".trilane-*.tmp")]:
        case.defect("temporaries stay", ", ".join(left))


def complaints(end):
    return [ln for ln in end.err.decode(errors="replace").splitlines() if ln.startswith("trilane")]


def check_failure(case, end, failing, codes):
    """One message for each failing output, and the exit code for it."""
    if not case.check(end, codes):
        return
    said = complaints(end)
    if end.code and len(said) != failing:
        case.defect("not one message for each failed output", f"{len(said)}: {said}"[:300])


def streams(case, mode, trouble):
    prefix, redirect = STREAMS[trouble]
    end = case.run(mode.command(), prefix, redirect)
    prints = "stdout" in trouble or trouble in ("all closed", "both full")
    if not prints or "calibrate" in mode.words and end.code == 0:  # it may print nothing
        check_failure(case, end, 0, {0})
    else:
        case.check(end, {5})
        if trouble.startswith("stdout"):
            check_failure(case, end, 1, {5})
    check_files(case, mode)


def readers(case, mode, trouble):
    """A pipe of one page, whose other end is gone, reads a little now and then, or sleeps."""
    stream = trouble.split()[0]
    source, sink = os.pipe()
    fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, 4096)
    process = case.start(mode.command(), **{stream: sink})
    case.ran += f"  # {trouble}"
    os.close(sink)
    gone = trouble.endswith("gone")

    def read():
        if trouble.endswith("asleep"):  # wakes when all files are there
            campaign.until(lambda: process.poll() is not None or all(
                (case.folder / name).is_file() for name in mode.outputs), campaign.HANG_S)
            if process.poll() is None and not all((case.folder / n).is_file() for n in mode.outputs):
                case.defect("files wait for the screen", trouble)
        while not gone and os.read(source, 512):
            time.sleep(0.002)
        os.close(source)

    if gone:
        read()
        end = case.finish(process)
    else:
        reader = threading.Thread(target=read)
        reader.start()
        end = case.finish(process)
        reader.join()
    if gone and stream == "stdout":
        check_failure(case, end, 1, {5} if "calibrate" not in mode.words else {0, 5})
    else:
        check_failure(case, end, 0, {0})
    check_files(case, mode)


def files(case, mode, trouble):
    """The first output, or every file, cannot be written."""
    first, rest = mode.outputs[0], mode.outputs[1:]
    folder = case.folder / "small"
    folder.mkdir()
    words = [f"small/{first}" if word == first else word for word in mode.command()]
    if trouble.startswith("file limit"):
        ignored = "trap '' XFSZ; " if trouble.endswith("ignored") else ""
        end = case.run(mode.command(), f"{ignored}ulimit -f 1;")  # 512 bytes, or 1,024
        check_failure(case, end, sum(not (case.folder / n).is_file() for n in mode.outputs), {5})
        check_files(case, mode, mode.outputs)
        return
    mounted = trouble == "small disk" and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "campaign", folder], capture_output=True,
        check=False).returncode == 0
    if trouble == "small disk" and not mounted:
        return  # needs root
    process = case.start(words)
    if not mounted:
        time.sleep(case.draw.random() * 0.1)
        shutil.rmtree(folder)
    end = case.finish(process)
    case.ran += f"  # {trouble}"
    if mounted:
        subprocess.run(["umount", folder], check=False)
    # A folder that was removed before the start is refused at once.
    check_failure(case, end, 1, {5} if mounted else {0, 2, 5})
    if end.code != 2:
        check_files(case, Mode(mode.words, rest))


def tmpdirs(case, trouble):
    """Processes keep what they measured there."""
    mode = MODES["processes"]
    place = case.folder / "place"
    if trouble != "TMPDIR missing":
        place.mkdir()
    if trouble == "TMPDIR not writable":
        place = pathlib.Path("/proc/self")
    mounted = trouble == "TMPDIR full" and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "campaign", place], capture_output=True,
        check=False).returncode == 0
    end = case.run(mode.command(), environment={"TMPDIR": str(place)})
    case.ran += f"  # {trouble}"
    if mounted:
        subprocess.run(["umount", place], check=False)
    case.check(end, {2, 5} if mounted or trouble != "TMPDIR full" else {0})
    if end.code and not re.search("TMPDIR|temporary|/place|/proc/self", end.err.decode()):
        case.defect("does not say what failed", end.last_words())


def visit(case):
    kind = case.draw.choice(list(ALL))
    mode = ALL[kind]
    trouble = case.draw.choice([*STREAMS, *READERS, *FILES, *TMPDIRS])
    provide(mode, case.folder)
    if trouble in TMPDIRS:
        tmpdirs(case, trouble)
    elif trouble in STREAMS:
        streams(case, mode, trouble)
    elif trouble in READERS:
        readers(case, mode, trouble)
    elif mode.outputs:
        files(case, mode, trouble)


if __name__ == "__main__":
    given = campaign.arguments(__doc__, 300)
    sys.exit(campaign.each(given, visit))
