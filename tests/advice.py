#!/usr/bin/env python3
"""Whether advice helps by what it says: draws random shapes, follows the advice, compares.

Usage: advice.py PROGRAM [N [SEED]] [--time TIME] [--memory BYTES]
  Options are those of bounds.py. Only variants with the same stages run, because advice is about
  the number of lanes or chunks of the one that is to be used.
Prints each piece of advice, the time that it promised and the one that following it gave.
Exit codes: 0 every gain was at least half of what was promised, 1 one was less or a run failed,
2 usage.
"""

import pathlib
import random
import sys
import tempfile

import bounds

VARIANTS = "streams,engines,graph,graph_built"
LEAST = 0.5  # of the promised gain


def wall_of(comparison, variant):
    return next(m["wall"]["median"] for m in comparison["measurements"] if m["variant"] == variant)


def followed(knobs, step):
    """The knobs with the advised one turned, and the pass's bytes as they are."""
    kept = [knob for knob in knobs if not knob.startswith(("--chunk-size=", "--result-size="))]
    if step["knob"] == "chunks":
        return [*kept, f"--chunks={step['value']}"]
    return [knob for knob in knobs if not knob.startswith("--lanes=")] + [f"--lanes={step['value']}"]


def follow(args, draw, folder):
    """One shape: a line about its advice and whether it held; nothing without advice."""
    knobs = bounds.shape(draw, args.memory)
    before = bounds.run(args.program, [*knobs, "--force", f"--variant={VARIANTS}"], args.time,
                        folder / "before.json")
    if before is None:
        return "", False
    step = (before.get("advice") or {}).get("step")
    if step is None:
        return None
    use = before["advice"]["use"]
    turned = followed(knobs, step)
    after = bounds.run(args.program, [*turned, "--force", f"--variant={use}"], args.time,
                       folder / "after.json")
    if after is None:
        return "", False
    was, got = wall_of(before, use), wall_of(after, use)
    held = was - got >= LEAST * (was - step["wall_us"])
    return (f"{'held  ' if held else 'failed'} {use} --{step['knob']} {step['value']}: {was:.1f} us, "
            f"promised {step['wall_us']:.1f}, got {got:.1f}: {' '.join(knobs)}"), held


def main():
    args = bounds.arguments(__doc__)
    draw = random.Random(args.seed)
    all_held, pieces = True, 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.n):
            found = follow(args, draw, pathlib.Path(folder))
            if found is None:
                continue
            line, held = found
            print(line, flush=True)
            all_held, pieces = all_held and held, pieces + 1
    print(f"{args.n} shapes, seed {args.seed}: {pieces} pieces of advice"
          f"{'' if all_held else ', not all of which held'}")
    return 0 if all_held else 1


if __name__ == "__main__":
    sys.exit(main())
