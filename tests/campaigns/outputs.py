#!/usr/bin/env python3
"""Breaks outputs of every mode: full disks, closed streams, readers that are gone, slow or asleep.

What fails is said once, and the exit code is 5. Every other output must be whole, and all that was
to be measured is in it.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import contextlib
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
from case import HANG_S, until
from modes import MODES, TWO, Mode, not_whole, provide, reads

TWO_WORKLOADS = f"run --preset launch,search {TWO}"
ALL = {
    **MODES,
    "json on stdout": Mode(f"{TWO_WORKLOADS} --json - --csv r.csv", ("r.csv",)),
    "csv on stdout": Mode(f"{TWO_WORKLOADS} --csv - --json r.json", ("r.json",)),
}
# What the shell does with the streams, and whether the one that carries results is broken.
STREAMS = {
    "> /dev/full": True, ">&-": True, "> /dev/full 2> /dev/full": True, "<&- >&- 2>&-": True,
    "2> /dev/full": False, "2>&-": False, "<&-": False,
}
READERS = ("stdout gone", "stdout slow", "stdout asleep", "stderr gone", "stderr slow")
FILES = ("file limit", "file limit, ignored", "folder removed", "small disk")
PLACES = ("TMPDIR missing", "TMPDIR full", "TMPDIR not writable")
PIPE_BYTES = 4096


def holds_all(mode, path):
    """Returns true if a file holds all workloads or answers: it is written after each, and that of
    the first may stay."""
    last = "search" if "launch,search" in mode.words else \
        "launch_constant" if mode.words.startswith("ask") else None
    if path.suffix == ".json":  # whose command line has the name, too
        found = re.findall(r'"(?:name|question)": "(\w+)"', path.read_text(errors="replace"))
    else:
        found = re.findall(r"^\w+", path.read_text(errors="replace"), re.MULTILINE)
    return last is None or last in found


def check_files(case, mode, broken=()):
    """Sound outputs are whole and hold all that was to be measured; broken ones may be absent."""
    for name in mode.outputs:
        path = case.folder / name
        if not path.is_file():
            if name not in broken:
                case.defect("a sound output is missing", name)
            continue
        if why := not_whole(path):
            case.defect("an output is not whole", f"{name}: {why}")
        elif (again := reads(name, case.folder)) and (end := case.run_aside(again)).code != 0:
            case.defect("an output cannot be read again", f"{name}: {end.last_words()}")
        if not holds_all(mode, path):
            case.defect("later workloads did not run", name)
    if left := [p.name for p in case.folder.rglob(".trilane-*.tmp")]:
        case.defect("temporaries stay", ", ".join(left))


def check_end(case, end, failing, codes):
    """The exit code, and one message for each output that fails."""
    said = case.messages(end)
    if case.check(end, codes) and end.code and len(said) != failing:
        case.defect("not one message for each failed output", f"{len(said)}: {said}"[:300])


def break_stream(case, mode, redirect):
    end = case.run(mode.command(), redirect=redirect)
    if not STREAMS[redirect]:
        check_end(case, end, 0, {0})
    elif "calibrate" not in mode.words or end.code != 0:  # which prints only progress
        check_end(case, end, 0 if "2>" in redirect else 1, {5})
    check_files(case, mode)


def read_slowly(case, mode, source, process, asleep):
    """Reads a few bytes now and then; `asleep` not before all files are there."""
    def written():
        return all((case.folder / name).is_file() for name in mode.outputs)

    if asleep:
        until(lambda: process.poll() is not None or written(), HANG_S)
        if process.poll() is None and not written():
            case.defect("files wait for the screen", "the reader sleeps")
    while os.read(source, 256):
        time.sleep(0.002)


def break_pipe(case, mode, trouble):
    """A pipe that is full, and whose reader is gone, slow or asleep."""
    stream, reader = trouble.split()
    source, sink = os.pipe()
    fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    os.write(sink, b"\n" * PIPE_BYTES)
    process = case.start(mode.command(), **{stream: sink})
    os.close(sink)
    gone = reader == "gone"
    if gone:
        os.close(source)
        end = case.finish(process)
    else:
        thread = threading.Thread(target=read_slowly,
                                  args=(case, mode, source, process, reader == "asleep"))
        thread.start()
        end = case.finish(process, 2 * HANG_S)
        thread.join()
        os.close(source)
    lost = gone and stream == "stdout"
    silent = "calibrate" in mode.words
    check_end(case, end, int(lost), {0, 5} if lost and silent else {5} if lost else {0})
    check_files(case, mode)


def limit_files(case, mode, trouble):
    """Each file that is longer than 512 bytes fails."""
    ignored = "trap '' XFSZ; " if "ignored" in trouble else ""
    end = case.run(mode.command(), f"{ignored}ulimit -f 1;")
    failing = sum(not (case.folder / name).is_file() for name in mode.outputs)
    check_end(case, end, failing, {5} if failing else {0})
    check_files(case, mode, mode.outputs)


@contextlib.contextmanager
def small_disk(folder):
    """A disk of one page; whether it could be mounted."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "campaign", folder],
                             capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)


def break_folder(case, mode, trouble):
    """The first output goes into a folder that is removed meanwhile, or is too small."""
    first, rest = mode.outputs[0], Mode(mode.words, mode.outputs[1:])
    folder = case.folder / "place"
    folder.mkdir()
    words = [f"place/{first}" if word == first else word for word in mode.command()]
    if trouble == "folder removed":
        process = case.start(words)
        time.sleep(case.draw.random() * 0.1)
        shutil.rmtree(folder, ignore_errors=True)
        end = case.finish(process)
        check_end(case, end, 1, {0, 2, 5})  # 2: before it started, 0: when it was done
        return end.code == 2 or check_files(case, rest)
    with small_disk(folder) as mounted:
        if not mounted:
            return None  # needs root
        end = case.run(words)
        path = folder / first
        check_end(case, end, 1, {0} if path.is_file() and holds_all(mode, path) else {5})
    return check_files(case, rest)


def break_tmpdir(case, trouble):
    """Processes keep there what they measured."""
    mode = MODES["processes"]
    place = case.folder / "place"
    if trouble == "TMPDIR full":
        place.mkdir()
    elif trouble == "TMPDIR not writable":
        place = pathlib.Path("/proc/self")
    with small_disk(place) if trouble == "TMPDIR full" else contextlib.nullcontext():
        end = case.run(mode.command(), environment={"TMPDIR": str(place)})
    case.check(end, {0, 2, 5})
    if end.code == 0:
        check_files(case, mode)
    elif str(place) not in end.err.decode(errors="replace"):
        case.defect("does not say what failed", end.last_words())


def visit(case):
    mode = ALL[case.draw.choice(list(ALL))]
    trouble = case.draw.choice([*STREAMS, *READERS, *FILES, *PLACES])
    case.comment = "" if trouble in STREAMS else trouble
    provide(mode, case.folder)
    if trouble in PLACES:
        break_tmpdir(case, trouble)
    elif trouble in STREAMS:
        break_stream(case, mode, trouble)
    elif trouble in READERS:
        break_pipe(case, mode, trouble)
    elif mode.outputs:
        (limit_files if "limit" in trouble else break_folder)(case, mode, trouble)


if __name__ == "__main__":
    sys.exit(campaign.each(campaign.arguments(__doc__, 300), visit))
