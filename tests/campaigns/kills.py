#!/usr/bin/env python3
"""Kills runs of every mode by every signal at random moments, and looks at what they leave.

Every file must be absent, as before, or whole; nothing temporary may stay, save after a signal that
no program can catch, and then the next run clears it away. A run that is asked to stop says so,
ends with 130, and can be gone on with. `--force` replaces nothing by results in which nothing ran.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

import campaign
from case import HANG_S, Case
from modes import MODES, Mode, not_whole, provide, read_json, reads, statuses

ASKS_TO_STOP = ("SIGINT", "SIGTERM", "SIGHUP", "two SIGINT")
NOT_CAUGHT = ("SIGKILL", "SIGQUIT", "SIGUSR1")  # they end the program as they do any other
SIGNALS = (*ASKS_TO_STOP, *NOT_CAUGHT, "SIGPIPE", "SIGXFSZ")
KILLED = dict(MODES)
REPORT = Mode("report gpu.json page.html", ("page.html",), needs=("gpu.json",))
LONGEST_S = {"report": 3, "several": 2, "calibrate": 1.2, "trace": 1,
             "all variants": 0.7}  # if not 0.3
ON_A_GPU_S = 4  # the first one is spent on starting
# Only trilane-sim has the first, the second takes long, the others do not use the GPU.
NOT_ON_A_GPU = ("validate", "calibrate", "compare", "show", "diagnose")


def command_line(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def begun(pid):
    """Returns true if a process of Case.start is the program by now. Before that it is a copy of
    this one and then the shell, which both catch SIGINT for themselves."""
    line = command_line(pid)
    return line not in (b"", command_line("self")) and not line.startswith(b"sh\0")


def handled(pid, number):
    """Returns true if a process catches a signal, ignores it, or holds it back, as a report does
    while its script starts."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    masks = re.findall(r"^Sig(?:Blk|Ign|Cgt):\s*(\w+)", status, re.MULTILINE)
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


def well_under_way(pid):
    """Returns true if a process has used half a second of processor time; its start takes 2 ms."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) + int(fields[12]) >= 0.5 * os.sysconf("SC_CLK_TCK")


def takes_care(process, number):
    """Waits until the program has taken care of a signal, or has ended; false where it is well
    under way without."""
    end = time.monotonic() + HANG_S
    while process.poll() is None:
        late = well_under_way(process.pid) or time.monotonic() > end
        if begun(process.pid) and handled(process.pid, number):
            return True
        if late:
            return False
        time.sleep(0.002)
    return True


def temporaries(folder):
    return [p.name for pattern in (".trilane-*.tmp", "tmp/*", "home/**/.trilane-*.tmp")
            for p in folder.glob(pattern)]


def nothing_ran(path):
    """Returns true if results, or a map, hold no figure at all."""
    held = read_json(path) or {}
    cells = held.get("cells")
    if cells is not None:
        return not any(cell["status"] == "ok" for cell in cells)
    return not any("ok" in each for each in statuses(held))


def check_files(case, mode, before):
    """Absent, as before, or whole."""
    for name in mode.outputs:
        path = case.folder / name
        if not path.exists():
            if name in before:
                case.defect("a good file is lost", name)
            continue
        text = path.read_text(errors="replace")
        if text == before.get(name):
            continue
        if why := not_whole(path):
            case.defect("a file is not whole", f"{name}: {why}")
            continue
        again = reads(name, case.folder)
        if again and (end := case.run_aside(again)).code != 0:
            case.defect("a file cannot be read again", f"{name}: {end.last_words()}")
        if name in before and name in ("r.json", "m.json") and nothing_ran(path):
            case.defect("good results are replaced by none", name)


def check_end(case, end, name, mode):
    stopped = name in ASKS_TO_STOP
    can_be_killed = name in NOT_CAUGHT or not mode.outputs  # nothing to lose
    if can_be_killed and end.code == -getattr(signal, name.removeprefix("two "), 0):
        return
    case.check(end, {0, 130} if stopped else {0, 5} if name == "SIGXFSZ" else {0})
    if stopped and end.code == 130 and mode.outputs and name != "two SIGINT" and \
            not re.search(rb"stop|interrupt", end.err):
        case.defect("does not say that it stops", end.last_words())


def send(case, process, name):
    """Sends the signal at a random moment after the program has taken care of it, where it should;
    false where it never does."""
    number = getattr(signal, name.removeprefix("two "))

    care = name in NOT_CAUGHT or takes_care(process, number)
    time.sleep(case.draw.random() ** 2 * case.longest)
    for _ in range(2 if name.startswith("two") else 1):
        if process.poll() is None:
            process.send_signal(number)
            time.sleep(case.draw.random() * 0.03)
    return care


def next_run(case, mode):
    """The same command again: it ends well, and clears away what the dead one left."""
    end = case.run(mode.command(force=not mode.resumes))
    case.check(end, {0})
    if left := temporaries(case.folder):
        case.defect("temporaries stay after the next run", ", ".join(left))
    check_files(case, mode, {})


def visit(case):
    name = SIGNALS[case.number % len(SIGNALS)]
    kind = case.draw.choice([m for m in KILLED if not (case.args.gpu and m in NOT_ON_A_GPU)])
    mode = KILLED[kind]
    case.comment = name
    provide(mode, case.folder)
    force = case.draw.random() < 0.5
    before = {}
    if force and mode.outputs:
        case.check(case.run(mode.command()), {0})
        before = {n: (case.folder / n).read_text(errors="replace") for n in mode.outputs}
    # A limit of 512-byte blocks, so that a file is cut somewhere in its middle.
    prefix = f"ulimit -f {case.draw.randrange(1, 60)};" if name == "SIGXFSZ" else ""
    case.longest = ON_A_GPU_S if case.args.gpu else LONGEST_S.get(kind, 0.3)
    process = case.start(mode.command(force), prefix)
    care = name == "SIGXFSZ" or send(case, process, name)
    end = case.finish(process)
    if care:
        check_end(case, end, name, mode)
    elif mode.outputs and end.code != 0:  # otherwise it had ended before the signal was sent
        case.defect(f"does not catch {name}", f"ended with {end.code}")
    check_files(case, mode, before)
    left = temporaries(case.folder)
    if left and not (name in NOT_CAUGHT and end.code < 0):
        case.defect("temporaries stay", ", ".join(left))
    if left or case.args.gpu or (mode.resumes and case.draw.random() < 0.5):
        next_run(case, mode)


def makes_reports(args, folder):
    """Returns true if matplotlib and D3 are there."""
    folder.mkdir()
    provide(REPORT, folder)
    return Case(args, 0, folder).run(REPORT.command()).code == 0


def main():
    args = campaign.arguments(__doc__, 1000)
    with tempfile.TemporaryDirectory() as fonts:
        os.environ["MPLCONFIGDIR"] = fonts  # searching for fonts in every case would take seconds
        if not args.gpu and makes_reports(args, pathlib.Path(fonts, "report")):
            KILLED["report"] = REPORT
        return campaign.each(args, visit)


if __name__ == "__main__":
    sys.exit(main())
