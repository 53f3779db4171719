#!/usr/bin/env python3
"""Checks whether advice helps by what it says: draws random shapes, follows the advice, compares.

Usage: advice.py PROGRAM [N [SEED]] [--time TIME] [--memory BYTES] [--within S] [--keep FOLDER]
  Options are those of bounds.py; --keep keeps the results files of advice that did not hold. Each
  shape runs one of the variants that get such advice, as the reference, and serial beside it.
Prints each piece of advice, the time that it promised and the one that following it gave.
Exit codes: 0 every gain was at least half of what was promised and no time more than a tenth above
it, 1 not so, no advice at all, a run that failed or shapes that were not run, 2 usage.
"""

import pathlib
import sys
import tempfile

import shapes

VARIANTS = ["streams", "threads", "graph", "graph_built", "graph_update", "graph_set", "pool",
            "pool_trim", "graph_pool"]
LEAST = 0.5  # of the promised gain
MOST = 1.1  # of the promised time


def wall_of(comparison, variant):
    return next(m["wall"]["median"] for m in comparison["measurements"] if m["variant"] == variant)


def followed(knobs, step):
    """The knobs with the advised one turned, and the pass's bytes as they are."""
    kept = [knob for knob in knobs if not knob.startswith(("--chunk-size=", "--result-size="))]
    if step["knob"] == "chunks":
        return [*kept, f"--chunks={step['value']}"]
    kept = [knob for knob in knobs if not knob.startswith("--lanes=")]
    return [*kept, f"--lanes={step['value']}"]


def shape(draw, memory):
    """Knobs of shapes about which there is advice more often: one lane, one or two large chunks on
    many lanes, or many small chunks; every fourth as in bounds.py."""
    knobs = dict(knob.split("=") for knob in shapes.shape(draw, memory))
    kind = draw.randrange(4)
    if kind == 0:
        knobs["--lanes"] = 1
    elif kind < 3:
        few = kind == 1
        chunks = shapes.spread(draw, 1, 2) if few else shapes.spread(draw, 32, 128)
        most = memory // chunks if few else min(memory // chunks, 64 << 10)
        chunk = shapes.spread(draw, max(1, most // 16 // shapes.WORD), most // shapes.WORD)
        chunk *= shapes.WORD
        knobs |= {"--size": chunk * chunks, "--chunk-size": chunk, "--result-size": chunk,
                  "--lanes": shapes.spread(draw, 4, 32) if few else shapes.spread(draw, 1, 8),
                  "--depth": shapes.spread(draw, 1, 4), "--rounds": shapes.spread(draw, 1, 32)}
    return [f"{name}={value}" for name, value in knobs.items()]


class Check:
    """Holds what was found so far."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.held = self.wrong = self.failed = 0

    def run(self, knobs, variants, name):
        return shapes.run(self.args.program, knobs, variants, self.args.time, self.folder / name)

    def visit(self, index, draw):
        knobs = shape(draw, self.args.memory)
        variant = draw.choice(VARIANTS)
        before = self.run([*knobs, f"--reference={variant}"], ["serial", variant], "before.json")
        step = ((before or {}).get("advice") or {}).get("step")
        if before is None or step is None:
            self.failed += before is None
            return
        self.follow(index, knobs, before, step)

    def follow(self, index, knobs, before, step):
        use = before["advice"]["use"]
        after = self.run(followed(knobs, step), [use], "after.json")
        if after is None:
            self.failed += 1
            return
        was, got, promised = wall_of(before, use), wall_of(after, use), step["wall_us"]
        helps = was - got >= LEAST * (was - promised) and got <= MOST * promised
        self.held += helps
        self.wrong += not helps
        if not helps:
            shapes.keep(self.args, self.folder, index)
        verdict = "held  " if helps else "failed"
        print(f"{verdict} {use} --{step['knob']} {step['value']}: {was:.1f} "
              f"us, promised {promised:.1f}, got {got:.1f}: {' '.join(knobs)}", flush=True)


def main():
    args = shapes.arguments(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        check = Check(args, pathlib.Path(scratch))
        done = shapes.each_shape(args, check.visit)
    print(f"{shapes.counted(args, done)}: {check.held} pieces of advice held, {check.wrong} did "
          f"not, {check.failed} runs failed", flush=True)
    return 1 if check.wrong or check.failed or not check.held or done < args.n else 0


if __name__ == "__main__":
    sys.exit(main())
