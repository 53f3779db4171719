#!/usr/bin/env python3
"""Tries random command lines out of the program's own help.

A command line runs or is refused: with a documented exit code, in one line, without a library's
words. What asks for too much is refused at once; what may take long is interrupted and must stop.
Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import pathlib
import re
import shutil
import sys
import tempfile

import campaign
from case import DOCUMENTED, Case
from modes import MODES, PROFILE, provide

INTERRUPT_S = 10  # then a run is asked to stop
COMMANDS = ["run", "sweep", "show", "report", "compare", "ask", "loop", "aa", "plan", "list",
            "calibrate", "validate", "diagnose", "record", "schema", "completion", "man", ""]

# Sound values by their names in the help; the first are small.
SOUND = {
    "N": ["1", "2", "3", "4", "7"], "SIZE": ["4", "4K", "16K", "64KiB", "1e6", "4kB"],
    "TIME": ["10ms", "1us", "0.5ms"], "PERCENT": ["1%", "5", "50%", "0.1%"],
    "WAY": ["depth", "breadth", "spin", "block", "yield"], "KIND": ["pinned", "pageable"],
    "MODE": ["latency", "throughput"], "TIER": ["same", "moved", "rewritten"],
    "POLICY/...": ["kept", "default", "threshold=64M", "kept/threshold=0,pools=lane"],
    "NUMBER=CODE": ["1=1", "50=2", "300=700"], "FILE": ["a.json", "good.json", "-", "new/x.json"],
    "SHELL": ["bash", "zsh", "fish"], "VARIANT": ["graph", "streams", "fused"],
    "NAME": ["launch", "search", "streams", "graph", "serial", "pool", "malloc", "free_waits"],
    "LOOP": ["pair", "swarm"],
    "KNOB=VALUES": ["chunks=1,2", "depth=1..4", "chunk-size=4K..64K:3", "lanes=1,2,3",
                    "size=64K,128K", "rounds=1..8", "kernel-time=5us,10us", "result-size=4,64"],
    "RESULTS": ["good.json", "gpu.json", "answers.json"], "OLD": ["good.json"], "NEW": ["gpu.json"],
    "RECORDING": ["app.json"], "APPLICATION": ["true", "false"],
    "HTML": ["page.html"], "PROFILE": ["profile.json"], "PRESET": ["launch", "search"],
}
ODD = ["", " ", "0", "-1", "-0", "+1", "1.5", "1e30", "1e308", "1e400", "nan", "inf", "0x10", "007",
       "18446744073709551615", "18446744073709551616", "99999999999999999999999", "1000000",
       "4294967296", "1T", "9999999T", "16E", "3", "5", "1k", "4Q", "10m", "1h", "-5ms", "1e99s",
       "0%", "100%", "-1%", "1e9%", ",", ",,", "a,b", "launch,launch", "x" * 5000, "\udcff\udcfe",
       "\x1b[2J", "a\nb", "\u202e", "\u00b5s", "10\u00b5s", "=", "1=", "=1", "0=1", "1=0",
       "1=99999", "-", "--", "/dev/full", "/dev/null", "/", ".", "loop", "no/such/x",
       "x" * 300, "%s%n", "{}", "$(x)", "..", "1..", "1..2..3", "4..1", "1..1e9:99999999",
       "1,2,3,4,5,6", "chunks=1..1e18", "size=0", "chunks=", "depth=-1,2", "lanes=1,1",
       "threshold=-1", "*"]


def options_of(help_text):
    """Every option with the name of its value, and the operands of the usage line. A program may
    lack the command; then there is no help."""
    if not help_text:
        return {}, []
    options = re.findall(r"^  (?:-\w, )?--([a-z-]+)(?: ([A-Z/][A-Z=/.,]*))?", help_text,
                         re.MULTILINE)
    operands = re.findall(r"[A-Z]{3,}(?:=[A-Z]+)?", help_text.splitlines()[0])
    return dict(options), operands


def value(draw, kind):
    """A value for such a placeholder; one of five is odd."""
    if draw.random() < 0.2:
        odd = draw.choice(ODD)
        return odd if draw.random() < 0.7 else odd + draw.choice(ODD)
    sound = SOUND.get(kind.removesuffix(",..."), ["1"])
    several = kind.endswith(",...") and draw.random() < 0.4
    return ",".join(draw.choice(sound) for _ in range(draw.randrange(2, 4))) if several \
        else draw.choice(sound)


def command_line(draw, table):
    command = draw.choice(COMMANDS)
    options, operands = table[command or "run"]
    words = [command] if command else []
    words += [value(draw, kind) for kind in operands if draw.random() < 0.9]
    if command in ("run", "", "aa", "sweep", "plan", "loop"):  # small, most of the time
        for small in ("--time 10ms", "--chunk-size 4K", "--chunks 2", "--variant streams,graph"):
            if draw.random() < 0.8 and small[2:].split()[0] in options:
                words += small.split()
    for _ in range(draw.choice([0, 1, 1, 2, 2, 3, 5, 9]) if options else 0):
        name = draw.choice(list(options))
        kind = options[name]
        if draw.random() < 0.04:
            name = draw.choice([name[:-1], name + "x", name.upper(), draw.choice(list(SOUND)), ""])
        if not kind or draw.random() < 0.03:
            words.append("--" + name)
        elif draw.random() < 0.3:
            words.append(f"--{name}={value(draw, kind)}")
        else:
            words += ["--" + name, value(draw, kind)]
    if draw.random() < 0.1:
        words.insert(draw.randrange(len(words) + 1), draw.choice(ODD + list(SOUND)))
    return [word.replace("\0", "") for word in words]


def visit(case, table, good):
    for name, held in good.items():
        (case.folder / name).write_bytes(held)
    (case.folder / "loop").symlink_to("loop")
    words = command_line(case.draw, table)
    process = case.start(words, case.memory_limit(4), environment={"PYTHON": "true"})
    end = case.finish(process, interrupt_after=INTERRUPT_S)
    started = {126, 127} if words[:1] == ["record"] else set()  # words that cannot be started
    if not case.check(end, DOCUMENTED | started):
        return
    if end.code == 130 and not end.interrupted:
        case.defect("exit code 130", "nobody interrupted it")
    if end.code == 2:
        case.check_refusal(end, 8000)  # it may name the word of 5,000 characters
    elif end.code and not end.err and b"ot " not in end.out:
        case.defect("no message", f"code {end.code}")


def main():
    args = campaign.arguments(__doc__, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        case = Case(args, 0, place)
        table = {c: options_of(case.run([c, "--help"]).out.decode()) for c in COMMANDS if c}
        for mode in ("validate", "diagnose"):
            provide(MODES[mode], place)
        case.run("run --chunks 2 --chunk-size 4K --time 10ms --json good.json".split())
        case.run("ask free_waits --json answers.json".split())
        shutil.copy(PROFILE, place / "profile.json")
        good = {n: (place / n).read_bytes()
                for n in ("good.json", "gpu.json", "app.json", "answers.json", "profile.json")}
    return campaign.each(args, lambda case: visit(case, table, good))


if __name__ == "__main__":
    sys.exit(main())
