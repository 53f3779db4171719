#!/usr/bin/env python3
"""Lets each CUDA call of every command fail in turn, each with five error codes.

The exit code must be the documented one, with a message; what finished is kept; a later workload
runs unless the error is sticky; nothing crashes, hangs, leaks or leaves temporaries.
With --count 0 every call; otherwise so many faults, drawn from all.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import dataclasses
import pathlib
import sys
import tempfile

import campaign
from modes import MODES, Mode, provide, reads

INVALID, MEMORY, NOT_INITIALISED, ILLEGAL, LAUNCH = 1, 2, 3, 700, 719
ERRORS = (INVALID, MEMORY, NOT_INITIALISED, ILLEGAL, LAUNCH)
STICKY = (ILLEGAL, LAUNCH)

PREDICTED = "--variant streams,graph --time 10ms --json r.json"
COMMANDS = {
    **{name: MODES[name] for name in ("run", "all variants", "several", "processes", "trace",
                                      "break-even", "curve", "map", "aa", "calibrate", "validate")},
    "predicted": Mode(f"run --preset launch,search {PREDICTED}", ("r.json",)),
    "throughput": Mode(f"run --preset search --mode throughput {PREDICTED}", ("r.json",)),
    "pools": Mode("run --chunks 2 --chunk-size 4K --variant streams,pool --pool kept/threshold=0 "
                  "--time 10ms --json r.json", ("r.json",)),
    "pageable": Mode("run --chunks 2 --chunk-size 4K --variant streams,threads --host-memory "
                     "pageable --check --time 10ms --json r.json", ("r.json",)),
    "found rounds": Mode("run --chunks 2 --chunk-size 4K --kernel-time 20us --variant streams,graph "
                         "--time 10ms --json r.json", ("r.json",)),
}


@dataclasses.dataclass(frozen=True)
class Calls:
    """Of one command: the number of its CUDA calls, and of those of the first of two workloads."""
    all: int
    first: int


def with_fault(case, mode, number, code):
    """Runs a command anew with a fault."""
    for name in mode.outputs:
        (case.folder / name).unlink(missing_ok=True)
    return case.run([*mode.command(), "--fault", f"{number}={code}"])


def count_calls(case, mode):
    """The last call whose failure is noticed: a sticky one leaves no later call unharmed."""
    def noticed(number):
        end = with_fault(case, mode, number, ILLEGAL)
        return end.code != 0 or b"llegal" in end.err + end.out

    low, high = 0, 64
    while noticed(high):
        low, high = high, 4 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if noticed(middle) else (low, middle)
    return low


def check_results(case, end, mode, calls, number, code):
    """What the results say has run, and what had to."""
    held = campaign.read_json(case.folder / "r.json")
    if held is None:
        if end.code in (0, 5):
            case.defect("no results", f"code {end.code}")
        if number > calls.first > 0:
            case.defect("finished results are lost", f"call {number}, code {end.code}")
        return
    ran = campaign.statuses(held)
    flat = [status for one in ran for status in one]
    if end.code == 0 and (not flat or set(flat) != {"ok"}):
        case.defect("code 0 although something did not run", f"{ran}")
    if end.code == 0 and "launch,search" in mode.words and len(ran) != 2:
        case.defect("code 0 although a workload is missing", f"{len(ran)} workloads")
    if end.code != 0 and code == MEMORY and flat and end.code != 4:
        case.defect("out of memory is not exit code 4", f"code {end.code}: {ran}")
    if len(ran) == 2 and "launch,search" in mode.words:
        if number > calls.first and set(ran[0]) != {"ok"}:
            case.defect("finished results are lost", f"{ran}")
        if number <= calls.first and code not in STICKY and set(ran[1]) != {"ok"}:
            case.defect("a later workload did not run", f"{ran}")
    if code not in STICKY and sum(status != "ok" for status in flat) > 1 and number > 60:
        case.defect("one error takes other variants with it", f"{ran}")


def check_cells(case, end):
    held = campaign.read_json(case.folder / "m.json")
    if held is None:
        if end.code == 0:
            case.defect("no map", f"code {end.code}")
        return
    bad = [cell for cell in held["cells"] if cell["status"] not in ("ok", "not run")]
    if end.code == 0 and (bad or not held["finished"] or not held["cells"]):
        case.defect("code 0 although something did not run", f"{len(bad)} cells")


def visit(case, all_calls):
    kind = case.draw.choice(list(all_calls))
    calls, mode = all_calls[kind], COMMANDS[kind]
    number, code = case.draw.randrange(1, calls.all + 2), case.draw.choice(ERRORS)
    if case.args.count == 0:
        kind, number, code = case.args.every[case.number]
        calls, mode = all_calls[kind], COMMANDS[kind]
    provide(mode, case.folder)
    end = with_fault(case, mode, number, code)
    allowed = {0, 3, 4, 1} if code == MEMORY else {0, 1, 3}
    if not case.check(end, allowed):
        return
    if end.code and not end.err and b"not run" not in end.out:
        case.defect("no message", f"code {end.code}")
    said = [line for line in end.err.splitlines() if line.startswith(b"trilane")]
    if len(said) > 3:
        case.defect("more than a few messages", f"{len(said)}: {end.last_words()}")
    if "r.json" in mode.outputs:
        check_results(case, end, mode, calls, number, code)
    elif "m.json" in mode.outputs:
        check_cells(case, end)
    elif (case.folder / "p.json").exists() != (end.code == 0):
        case.defect("a profile although the command failed, or none", f"code {end.code}")
    for name in mode.outputs:
        if (case.folder / name).exists() and (again := reads(name, case.folder)):
            if (read := case.run_aside(again)).code != 0:
                case.defect("cannot be read again", f"{name}: {read.last_words()}")
    if left := [p.name for p in case.folder.rglob("*.tmp")] + list((case.folder / "tmp").iterdir()):
        case.defect("temporaries stay", f"{left}")


def main():
    args = campaign.arguments(__doc__, 0)
    all_calls = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, mode in COMMANDS.items():
            place = pathlib.Path(folder, kind)
            place.mkdir()
            case = campaign.Case(args, 0, place)
            provide(mode, place)
            first = 0
            if "launch,search" in mode.words:
                first = count_calls(case, Mode(mode.words.replace("launch,search", "launch"),
                                               mode.outputs))
            all_calls[kind] = Calls(count_calls(case, mode), first)
    print("calls: " + ", ".join(f"{kind} {calls.all}" for kind, calls in all_calls.items()))
    return campaign.each(args, lambda case: visit(case, all_calls))


if __name__ == "__main__":
    sys.exit(main())
