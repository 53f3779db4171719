"""Measures what `trilane record` costs an application, from runs of recorder/app_call_costs.

Two processes of it live at the same time, one by itself and one recorded, and iterate in turns of
some milliseconds on the same core, so that what changes with time (launches drift by 10% within
seconds) changes both. Each pair of processes gives one value, the median over its turns; pairs
differ, since each process has its own memory and its own channels to the device, so the intervals
are of pairs. The driver loads the recorder, as it does for a user.
"""
import contextlib
import dataclasses
import math
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time

from variant_times import STUDENT  # the last one serves for more

LIMIT_S = 60
TURN_US = {"launches": 25000, "graph": 8000, "mixed": 25000, "kernel": 25000, "random": 25000}
TURNS = 24  # of each process of a pair
LEAST_PAIRS = 5
NARROW, NARROW_NS = 0.003, 20  # half an interval
ASKED, ASKED_NS = 0.01, 600
KINDS = tuple(TURN_US)
REPEATING = {"launches": "100 empty launches", "graph": "a graph of 100 empty kernels",
             "mixed": "100 launches and a graph", "kernel": "a kernel of 300 us"}
LOOKING = "random"


@dataclasses.dataclass
class Interval:
    """The mean of values that are independent, and half the width of its 95% interval."""
    mean: float
    half: float

    @staticmethod
    def of(values):
        mean = statistics.fmean(values)
        if len(values) < 2:
            return Interval(mean, math.inf)
        freedom = min(len(values) - 1, len(STUDENT))
        return Interval(mean, STUDENT[freedom - 1] * statistics.stdev(values)
                        / math.sqrt(len(values)))

    def verdict(self, limit):
        if self.mean + self.half <= limit:
            return "within"
        return "OVER" if self.mean - self.half > limit else "open"


@dataclasses.dataclass
class Turn:
    """Medians of a turn."""
    call_ns: float
    iteration_us: float


class Process:
    """A run of app_call_costs that works when asked to."""

    def __init__(self, words):
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.said, text=True)
        self.limit = threading.Timer(LIMIT_S, self.process.kill)
        self.limit.start()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a run of app_call_costs ended: {self.end()}")
        return line

    def turn(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return Turn(*map(float, self.line().split()))

    def end(self):
        """Returns what it wrote to standard error."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self.limit.cancel()
        self.said.seek(0)
        return self.said.read()


@dataclasses.dataclass
class Pair:
    """The turns of two processes, in the order in which they took turns."""
    alone: list
    recorded: list

    def longer(self):
        """Logarithm of how much longer an iteration takes when recorded."""
        return statistics.median(math.log(recorded.iteration_us / alone.iteration_us)
                                 for alone, recorded in zip(self.alone, self.recorded))

    def longer_ns(self):
        """The same of a call, in nanoseconds."""
        return statistics.median(recorded.call_ns - alone.call_ns
                                 for alone, recorded in zip(self.alone, self.recorded))


def iteration_us(turns):
    return statistics.median(turn.iteration_us for turn in turns)


class Costs:
    def __init__(self, trilane, app, kinds):
        cores = sorted(os.sched_getaffinity(0))
        self.core = str(cores[len(cores) // 2])
        self.record = [trilane, "record", "--time", "200ms", "--"]
        self.app = app
        self.pairs = {kind: [] for kind in kinds}
        self.defects = []

    def measure(self, kind):
        """One more pair; which process starts, and takes the first turn, changes."""
        words = [self.app, str(TURN_US[kind]), kind, self.core]
        ways = {"alone": words, "recorded": [*self.record, *words]}
        order = list(ways)[::1 if len(self.pairs[kind]) % 2 == 0 else -1]
        processes = {way: Process(ways[way]) for way in order}
        turns = {way: [] for way in order}
        for way in order:
            processes[way].line()  # it is ready
        for number in range(TURNS):
            for way in order[::1 if number % 2 == 0 else -1]:
                turns[way].append(processes[way].turn())
        said = {way: processes[way].end() for way in order}["recorded"]
        says = "no iteration was found" if kind == LOOKING else r"\d+ calls an iteration"
        if not re.search(says, said):
            self.defects.append(f"{kind}: does not say {says!r}:\n{said}")
        self.pairs[kind].append(Pair(**turns))

    def done(self, kind):
        pairs = self.pairs[kind]
        if len(pairs) < LEAST_PAIRS:
            return False
        if kind == LOOKING:
            return Interval.of([pair.longer_ns() for pair in pairs]).half < NARROW_NS
        return Interval.of([pair.longer() for pair in pairs]).half < NARROW

    def measure_all(self, budget_s):
        """A pair of each kind in turn, so that a budget that is spent leaves none without."""
        end = time.monotonic() + budget_s
        going = list(self.pairs)
        while going:
            for kind in going:
                self.measure(kind)
                if time.monotonic() > end:
                    return
            going = [kind for kind in going if not self.done(kind)]

    def print(self):
        print(f"{'an iteration':<30}{'pairs':>5}{'alone us':>10}{'recorded':>10}"
              f"{'longer':>18}  at most 1%?")
        for kind, name in REPEATING.items():
            pairs = self.pairs.get(kind)
            if not pairs:
                continue
            alone = statistics.median(iteration_us(pair.alone) for pair in pairs)
            recorded = statistics.median(iteration_us(pair.recorded) for pair in pairs)
            longer = Interval.of([pair.longer() for pair in pairs])
            print(f"{name:<30}{len(pairs):>5}{alone:>10.2f}{recorded:>10.2f}"
                  f"{percent(longer):>18}  {longer.verdict(math.log1p(ASKED))}")
        looked = [pair.longer_ns() for pair in self.pairs.get(LOOKING, [])]
        if looked:
            added = Interval.of(looked)
            print(f"while it looks, a launch: {added.mean:.0f} +- {added.half:.0f} ns longer "
                  f"({len(looked)} pairs): {added.verdict(ASKED_NS)} {ASKED_NS} ns")


def percent(interval):
    return f"{100 * interval.mean:+.2f} +- {100 * interval.half:.2f}%"


def measure_costs(trilane, app, budget_s, kinds):
    """Prints a table. Returns what is wrong with it, a line each."""
    costs = Costs(trilane, app, kinds)
    costs.measure_all(budget_s)
    costs.print()
    return costs.defects
