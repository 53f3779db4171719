#!/usr/bin/env python3
"""Checks whether bounds hold: draws random shapes, runs the variants, compares wall times with
bounds.

Usage: bounds.py PROGRAM [N [SEED]] [--time TIME] [--memory BYTES] [--within S] [--keep FOLDER]
  PROGRAM   trilane, or trilane-sim for a simulated device
  N, SEED   the number of shapes (200), and what they are drawn from (1)
  --time    measuring time of each run (20ms: six rounds, the fewest; 1.3 s with all else on an
            H200)
  --memory  at most that many bytes each way in a pass (16777216), and 4 times as many that its
            kernels read
  --within  starts no shape after that many seconds
  --keep    keeps the results files of bounds that do not hold there
A bound is what the measured rates give or, where a pass was faster, that pass. Both are compared
with the median wall time: prints a line per shape, then the worst of each variant and its shape by
the rates, then all above 102%; also when it is stopped.
Exit codes: 0 no bound above 102% and none above 110% by the rates, 1 one above, a run that failed
or shapes that were not run, 2 usage.
"""

import dataclasses
import pathlib
import sys
import tempfile

import shapes

MOST = 1.02
MOST_BY_RATES = 1.10  # the same work differs by up to 6% from one graph or stream to the next

# Each of these has the loads of one that takes part in every shape, or waits for each operation,
# and is slow. They take turns, because they would otherwise take two thirds of the time.
ALWAYS = ["streams", "engines", "graph", "graph_early", "graph_built", "graph_coalesced", "batch",
          "streams_kernels", "graph_kernels", "graph_fused", "fused"]
IN_TURN = [["serial", "pool", "graph_pool"], ["malloc", "threads", "graph_set"],
           ["pool_trim", "graph_update"]]


@dataclasses.dataclass(order=True)
class Case:
    """One variant on one shape. By the rates alone the bound is this share of the wall time."""
    by_rates: float
    efficiency: float
    variant: str
    shape: int
    words: str

    def __str__(self):
        return f"{self.variant:16}{100 * self.by_rates:6.1f}%  shape {self.shape}: {self.words}"


def cases_of(comparison, index, knobs):
    """All that have a bound."""
    for m in comparison["measurements"]:
        if m.get("efficiency") is None:
            continue
        bound_us = m.get("bound_by_rates_us") or m["bound_us"]
        words = (f"{bound_us:.2f} us by {m['bound_by']}, wall {m['wall']['median']:.2f}"
                 f" (least {m['wall']['min']:.2f}): {' '.join(knobs)}")
        yield Case(bound_us / m["wall"]["median"], m["efficiency"], m["variant"], index, words)


class Check:
    """Holds what was found so far."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.worst, self.above, self.broken, self.failed = {}, [], 0, 0

    def visit(self, index, draw):
        knobs = shapes.shape(draw, self.args.memory)
        variants = ALWAYS + IN_TURN[index % len(IN_TURN)]
        path = self.folder / "results.json"
        comparison = shapes.run(self.args.program, knobs, variants, self.args.time, path)
        if comparison is None:
            self.failed += 1
            return
        cases = list(cases_of(comparison, index, knobs))
        for case in cases:
            self.worst[case.variant] = max(case, self.worst.get(case.variant, case))
        above = [case for case in cases if not case.by_rates <= MOST]
        self.above += above
        self.broken += sum(not (case.efficiency <= MOST and case.by_rates <= MOST_BY_RATES)
                           for case in cases)
        if above:
            shapes.keep(self.args, self.folder, index)
        print(max(cases, default=f"shape {index} has no bounds: {' '.join(knobs)}"), flush=True)

    def report(self, done):
        """The worst of each variant, highest first, then every one above what is allowed."""
        print("\nThe worst of each variant:")
        for case in sorted(self.worst.values(), reverse=True):
            print(case)
        for case in sorted(self.above, reverse=True):
            print(f"above by the rates: {case}")
        print(f"{shapes.counted(self.args, done)}: {self.broken} bounds of {len(self.worst)} "
              f"variants do not hold; by the rates alone {len(self.above)} are above "
              f"{100 * MOST:.0f}%; {self.failed} runs failed", flush=True)


def main():
    args = shapes.arguments(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(args, pathlib.Path(scratch))
        done = shapes.each_shape(args, check.visit)
        check.report(done)
    return 1 if check.broken or check.failed or done < args.n else 0


if __name__ == "__main__":
    sys.exit(main())
