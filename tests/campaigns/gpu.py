#!/usr/bin/env python3
"""Lets a run on a GPU meet what only a GPU can bring, and looks at what it leaves.

Other processes that hold its memory, all the time or in turns, or that keep it busy; a kernel that
writes where nothing is, after which nothing on the GPU works for that process. PROGRAM is a trilane
beside which `planted` lies. The exit code must be the documented one, with a message; what is ok
stays ok; the next run, with the GPU to itself, is unharmed.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import pathlib
import subprocess
import sys

import campaign
from case import HANG_S, until
from modes import read_json, statuses

OK, WRONG, NO_GPU, NO_MEMORY = 0, 1, 3, 4
VARIANTS = "streams,graph,pool,graph_pool,malloc,graph_coalesced"
FILES = "--json r.json --csv r.csv"
HOARDER = pathlib.Path(__file__).with_name("hoarder.py")


def beside(case, *words):
    """Another process on the GPU, once it says that it holds something."""
    process = subprocess.Popen([sys.executable, HOARDER, *map(str, words)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if "holds" not in process.stdout.readline():
        case.defect("the campaign failed", process.stderr.read()[-200:])
    return process


def large(case):
    """A pass of some hundred MiB on all lanes or, of graph_coalesced, of all of it."""
    size = case.draw.choice(("256M", "1G", "4G"))
    return f"run --size {size} --chunks 16 --variant {VARIANTS} --time 10ms {FILES}".split()


def look(case, end, codes):
    """Checks what holds however little memory there was."""
    case.check(end, codes)
    held = read_json(case.folder / "r.json")
    found = [status for each in statuses(held) for status in each]
    if end.code == OK and (not found or set(found) != {"ok"}):
        case.defect("code 0, and not all is ok", str(found))
    if end.code == NO_MEMORY and not end.err.strip():
        case.defect("code 4 without a message", str(found))
    if "ok" in found and not (case.folder / "r.csv").exists():
        case.defect("results are lost", str(found))
    case.comment = f"{case.comment}: code {end.code}, {found}, {end.last_words()}"


def little_memory(case):
    """Another process leaves so little all the time."""
    other = beside(case, case.draw.choice((0, 500, 1000, 2000, 4000, 8000)))
    try:
        look(case, case.run(large(case)), {OK, NO_GPU, NO_MEMORY})
    finally:
        other.kill()
        other.wait()


def memory_comes_and_goes(case):
    """It takes all memory and gives it back, again and again once a first workload is done."""
    run = case.start(f"run --preset launch,search,balanced,reduce --variant {VARIANTS} "
                     f"--time 50ms {FILES}".split())
    until(lambda: run.poll() is not None or (case.folder / "r.json").exists(), HANG_S)
    other = beside(case, 0, case.draw.choice((20, 100, 500)), case.draw.choice((20, 100, 500)))
    try:
        look(case, case.finish(run), {OK, NO_MEMORY})
    finally:
        other.kill()
        other.wait()
    keeps_the_first(case, len(VARIANTS.split(",")))


def keeps_the_first(case, variants):
    first = (statuses(read_json(case.folder / "r.json")) or [[]])[0]
    if first != ["ok"] * variants:
        case.defect("what was finished is lost", str(first))


def sticky_error(case):
    """The variant fails for good in the second of three workloads."""
    program, case.program = case.program, str(pathlib.Path(case.program).with_name("planted"))
    end = case.run(f"run --preset launch,compute,search --variant streams,illegal_address,graph "
                   f"--time 10ms {FILES}".split())
    case.program = program
    look(case, end, {WRONG})
    keeps_the_first(case, 3)
    if b"llegal" not in end.out + end.err:
        case.defect("the error is not named", end.last_words())


def busy(case):
    """Two more of the same run beside it."""
    words = f"run --preset launch,search --variant {VARIANTS} --time 50ms".split()
    others = [case.start(words) for _ in range(2)]
    end = case.run([*words, *FILES.split()])
    for other in others:
        case.check(case.finish(other), {OK})
    look(case, end, {OK})


SCENES = (little_memory, memory_comes_and_goes, little_memory, memory_comes_and_goes, sticky_error,
          busy)


def visit(case):
    scene = SCENES[case.number % len(SCENES)]
    case.comment = scene.__name__
    scene(case)
    for name in ("r.json", "r.csv"):
        (case.folder / name).unlink(missing_ok=True)
    said = case.comment
    end = case.run(f"run --chunks 8 --chunk-size 64K --variant {VARIANTS} --time 10ms "
                   f"{FILES}".split())
    case.comment = f"the run after {said}"
    look(case, end, {OK})
    print(said, flush=True)


if __name__ == "__main__":
    given = campaign.arguments(__doc__, 24)
    given.gpu, given.jobs = True, 1  # in parallel they would take each other's memory
    sys.exit(campaign.each(given, visit))
