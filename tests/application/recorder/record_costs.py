"""What `trilane record` costs an application, from runs of recorder/app_call_costs.

Processes differ by more than recording costs: each has its own memory and its own channels to the
device. So the recorder is loaded into the middle of a run ("late"), and the two parts of one process
are compared; a run without a recorder shows what the parts differ by in any case. In every other
round the driver loads the recorder at the start of one more run, as it does for a user; such runs
are compared with those without: less sharp, but nothing is left out. The parts are timed on one
core, the order of runs changes, and a kind of iteration is done once its interval is narrow enough.
"""
import dataclasses
import math
import os
import re
import statistics
import subprocess
import time

LIMIT_S = 60
ITERATIONS = 300  # of each part that is timed
LEAST_ROUNDS = 5
NARROW, NARROW_NS = 0.005, 20  # half an interval
ASKED, ASKED_NS = 0.01, 600
REPEATING = {"launches": "100 empty launches", "graph": "a graph of 100 empty kernels",
             "mixed": "100 launches and a graph", "kernel": "a kernel of 300 us"}
LOOKING = "random"
# Of Student's t with 1, 2, ... degrees of freedom, for 95%; the last serves for more.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14,
           2.13, 2.12, 2.11, 2.10, 2.09, 2.09)


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
class Round:
    """What app_call_costs printed, by name: alone, loaded late, loaded at the start."""
    alone: dict
    late: dict
    start: dict = None

    def within_processes(self):
        """Logarithm of how much longer an iteration takes, from the two parts of a process."""
        return math.log(self.late["last_us"] / self.late["first_us"]
                        * self.alone["first_us"] / self.alone["last_us"])

    def between_processes(self):
        return math.log(self.start["last_us"] / self.alone["last_us"])

    def looking_ns(self):
        return (self.late["last_ns"] - self.late["first_ns"]
                - self.alone["last_ns"] + self.alone["first_ns"])


class Costs:
    def __init__(self, trilane, app):
        cores = sorted(os.sched_getaffinity(0))
        self.core = str(cores[len(cores) // 2])
        self.record = [trilane, "record", "--time", "200ms", "--"]
        self.app = app
        self.rounds = {kind: [] for kind in (*REPEATING, LOOKING)}
        self.defects = []

    def run(self, kind, recorded, when):
        words = [*(self.record if recorded else ()), self.app, str(ITERATIONS), kind, self.core,
                 when]
        ran = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=True)
        says = "no iteration was found" if kind == LOOKING else r"\d+ calls an iteration"
        if recorded and not re.search(says, ran.stderr):
            self.defects.append(f"{kind}, {when}: does not say {says!r}:\n{ran.stderr}")
        printed = ran.stdout.split()
        return dict(zip(printed[::2], map(float, printed[1::2])))

    def measure(self, kind):
        ways = {"alone": (False, "late"), "late": (True, "late"), "start": (True, "start")}
        number = len(self.rounds[kind])
        if kind == LOOKING or number % 2 == 1:
            del ways["start"]
        turns = list(ways)[::1 if number // 2 % 2 == 0 else -1]
        self.rounds[kind].append(Round(**{way: self.run(kind, *ways[way]) for way in turns}))

    def done(self, kind):
        rounds = self.rounds[kind]
        if len(rounds) < LEAST_ROUNDS:
            return False
        if kind == LOOKING:
            return Interval.of([each.looking_ns() for each in rounds]).half < NARROW_NS
        return Interval.of([each.within_processes() for each in rounds]).half < NARROW

    def measure_all(self, budget_s):
        """A round of each kind in turn, so that a budget that is spent leaves none without."""
        end = time.monotonic() + budget_s
        going = list(self.rounds)
        while going:
            for kind in going:
                self.measure(kind)
                if time.monotonic() > end:
                    return
            going = [kind for kind in going if not self.done(kind)]

    def print(self):
        print(f"{'an iteration':<30}{'runs':>5}{'alone us':>10}{'recorded':>10}"
              f"{'same process':>18}{'other process':>18}  at most 1%?")
        for kind, name in REPEATING.items():
            rounds = self.rounds[kind]
            started = [each for each in rounds if each.start]
            if not started:
                continue
            alone = statistics.median(each.alone["last_us"] for each in rounds)
            recorded = statistics.median(each.start["last_us"] for each in started)
            within = Interval.of([each.within_processes() for each in rounds])
            between = Interval.of([each.between_processes() for each in started])
            print(f"{name:<30}{len(rounds):>5}{alone:>10.2f}{recorded:>10.2f}"
                  f"{percent(within):>18}{percent(between):>18}  "
                  f"{within.verdict(math.log1p(ASKED))}")
        looked = [each.looking_ns() for each in self.rounds[LOOKING]]
        if looked:
            added = Interval.of(looked)
            print(f"while it looks, a launch: {added.mean:.0f} +- {added.half:.0f} ns longer "
                  f"({len(looked)} runs): {added.verdict(ASKED_NS)} {ASKED_NS} ns")


def percent(interval):
    return f"{100 * interval.mean:+.2f} +- {100 * interval.half:.2f}%"


def measure_costs(trilane, app, budget_s):
    """Prints a table. Returns what is wrong with it, a line each."""
    costs = Costs(trilane, app)
    costs.measure_all(budget_s)
    costs.print()
    return costs.defects
