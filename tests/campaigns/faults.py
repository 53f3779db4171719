#!/usr/bin/env python3
"""Lets CUDA calls of every command fail, each with five error codes.

The exit code must be the documented one, with a message; what finished is kept; a later workload
runs unless the error is sticky; nothing crashes, hangs, leaks or leaves temporaries.
Without --count every call of every command fails in turn; of a command with more than 7,000 calls,
most of which repeat passes, the first 100, the last 100 and 100 of the others. With it that many
faults, drawn from all.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import math
import pathlib
import random
import sys
import tempfile

import campaign
from case import Case
from modes import MODES, PREDICTED, Mode, provide, read_json, reads, statuses

INVALID, MEMORY, NOT_INITIALISED, ILLEGAL, LAUNCH = 1, 2, 3, 700, 719
ERRORS = (INVALID, MEMORY, NOT_INITIALISED, ILLEGAL, LAUNCH)
STICKY = (ILLEGAL, LAUNCH)

NO_GPU = 3  # the exit code
MOST_IN_TURN, AT_EACH_END = 7_000, 100

COMMANDS = {**PREDICTED, **{name: mode for name, mode in MODES.items()
                            if name not in ("show", "compare", "diagnose")}}  # take no --fault
# Range for the number of a call if none was counted.
FAR = {"calibrate": 500_000, "several": 140_000, "trace": 140_000, "all variants": 100_000}


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


def check_results(case, end, mode, first, number, code):
    """Checks what the results say has run against what had to."""
    held = read_json(case.folder / "r.json")
    if held is None:
        if end.code in (0, 5):
            case.defect("no results", f"code {end.code}")
        if number > first > 0:
            case.defect("finished results are lost", f"call {number}, code {end.code}")
        return
    ran = statuses(held)
    flat = [status for one in ran for status in one]
    if end.code == 0 and (set(flat) != {"ok"} or len(ran) < mode.words.count("launch,search") + 1):
        case.defect("code 0 although something did not run", f"{ran}")
    if end.code != 4 and code == MEMORY and set(flat) != {"ok"}:
        case.defect("out of memory is not exit code 4", f"code {end.code}: {ran}")
    if first and number > first and set(ran[0]) != {"ok"}:
        case.defect("finished results are lost", f"{ran}")
    if code in STICKY:
        return
    if first and number <= first and set(ran[-1]) != {"ok"}:
        case.defect("a later workload did not run", f"{ran}")
    # Each of several processes draws its own order, so that the fault meets other variants.
    for one in ran if "--processes" not in mode.words else []:
        if "failed" in one and one.count("ok") < len(one) - 1:
            case.defect("the failure of one variant takes others with it", f"{one}")


def check_cells(case, end, code):
    held = read_json(case.folder / "m.json")
    if held is None:
        if end.code == 0:
            case.defect("no map", f"code {end.code}")
        return
    cells = [cell["status"] for cell in held["cells"]]
    if end.code == 0 and (set(cells) != {"ok"} or not held["finished"]):
        case.defect("code 0 although something did not run", f"{cells}")
    if code not in STICKY and not held["finished"]:
        case.defect("one error takes later cells with it", f"{cells}")


def findings(held):
    """Returns what each question found, or the status of each contender of a loop."""
    return [answer["finding"] for answer in held.get("answers", ())] + \
           [m["status"] for loop in held.get("loops", ()) for m in loop["measurements"]]


def check_answers(case, end, mode, code):
    """Answers and loops that failed say so, and take no other with them."""
    held = read_json(case.folder / mode.outputs[0])
    if held is None:
        if end.code == 0:
            case.defect("no answers", f"code {end.code}")
        return
    found = findings(held)
    wanted = mode.words.partition(" --")[0].count(" ") if mode.words.startswith("ask") else 1
    if end.code == 0 and "failed" in found:
        case.defect("code 0 although something failed", f"{found}")
    if code not in STICKY and len(held.get("answers", held.get("loops"))) < wanted:
        case.defect("a failure takes later questions with it", f"{found}")
    # Each of several processes draws its own order, so that the fault meets another.
    several = 2 if "--processes" in mode.words else 1
    if code not in STICKY and found.count("failed") > several:
        case.defect("the failure of one takes others with it", f"{found}")


def check_messages(case, end, code):
    """Something is said of a failure, once, and it is that failure."""
    if end.code and not end.err and b"ot run" not in end.out:
        case.defect("no message", f"code {end.code}")
    if b"leaked:" in end.err and b"a release failed" not in end.err:
        case.defect("leaks", end.last_words())
    if code not in STICKY and b"IllegalAddress" in end.err + end.out:
        case.defect("a harmless error becomes a sticky one", end.last_words())
    said = case.messages(end)
    if len(set(said)) < len(said):
        case.defect("the same message twice", end.last_words())


def visit(case, kind, number, code, first):
    mode = COMMANDS[kind]
    provide(mode, case.folder)
    end = with_fault(case, mode, number, code)
    if not case.check(end, {0, 1, 4, NO_GPU} if code == MEMORY else {0, 1, NO_GPU}):
        return
    if end.code == NO_GPU and number > 10:
        case.defect("no usable GPU, after it was used", end.last_words())
    check_messages(case, end, code)
    if "r.json" in mode.outputs:
        check_results(case, end, mode, first, number, code)
    elif "m.json" in mode.outputs:
        check_cells(case, end, code)
    elif "p.json" not in mode.outputs:
        check_answers(case, end, mode, code)
    elif (case.folder / "p.json").exists() != (end.code == 0):
        case.defect("a profile although the command failed, or none", f"code {end.code}")
    for name in mode.outputs:
        again = reads(name, case.folder)
        if again and (case.folder / name).exists() and case.draw.random() < 0.1:
            if (read := case.run_aside(again)).code != 0:
                case.defect("cannot be read again", f"{name}: {read.last_words()}")
    if left := [p.name for p in (*case.folder.rglob("*.tmp"), *(case.folder / "tmp").iterdir())]:
        case.defect("temporaries stay", ", ".join(left))


def counted(args, kind, words=None):
    """The number of calls of a command, or of one with other words."""
    with tempfile.TemporaryDirectory() as folder:
        case = Case(args, 0, pathlib.Path(folder))
        provide(COMMANDS[kind], case.folder)
        mode = COMMANDS[kind]
        return count_calls(case, Mode(words, mode.outputs) if words else mode)


def in_turn(args):
    """Every fault of every command, as (command, call, error)."""
    for kind in COMMANDS:
        calls = range(1, counted(args, kind) + 2)
        if len(calls) > MOST_IN_TURN:
            middle = random.Random(args.seed).sample(calls[AT_EACH_END:-AT_EACH_END], AT_EACH_END)
            calls = [*calls[:AT_EACH_END], *sorted(middle), *calls[-AT_EACH_END:]]
        print(f"{kind}: {len(calls)} calls", flush=True)
        yield from ((kind, number, code) for number in calls for code in ERRORS)


def drawn(draw):
    """One fault; as many among the first hundred calls as among the last tens of thousands."""
    kind = draw.choice(list(COMMANDS))
    far = FAR.get(kind, 7_000 if COMMANDS[kind].words.count("1us") else 50_000)
    return kind, int(math.exp(draw.uniform(0, math.log(far)))), draw.choice(ERRORS)


def main():
    args = campaign.arguments(__doc__, 0)
    two = "predicted, two workloads"
    first = {two: counted(args, two, COMMANDS[two].words.replace("launch,search", "launch"))}
    faults = list(in_turn(args)) if args.count == 0 else []
    args.count = args.count or len(faults)

    def one(case):
        kind, number, code = faults[case.number] if faults else drawn(case.draw)
        visit(case, kind, number, code, first.get(kind, 0))

    return campaign.each(args, one)


if __name__ == "__main__":
    sys.exit(main())
