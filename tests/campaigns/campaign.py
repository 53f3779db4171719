"""Holds what all campaigns share: cases drawn from a seed, run side by side, and a report of the
defects.

A case is drawn from the seed and its own number alone, so `--only N` repeats it.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

from case import Case


def arguments(doc, count):
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="a trilane-sim")
    parser.add_argument("--count", type=int, default=count,
                        help=f"how many cases ({count or 'all'})")
    parser.add_argument("--seed", type=int, default=1, help="what they are drawn from (1)")
    parser.add_argument("--within", type=float, default=1e9, help="starts no case after SECONDS")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N",
                        help="starts with the case of this number (0)")
    parser.add_argument("--only", type=int, help="runs the case of this number alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases side by side")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the folders of defects there")
    parser.add_argument("--gpu", action="store_true", help="PROGRAM is a trilane, on a GPU")
    parser.add_argument("--sanitized", action="store_true",
                        help="PROGRAM is built with ASan, which needs much memory: no limit of it")
    args = parser.parse_args()
    if not args.program.is_file() or args.count < min(count, 1) or args.jobs < 1:
        parser.error("PROGRAM is no file, or --count or --jobs is too small")
    args.program = args.program.resolve()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    return args


def visited(args, visit, number, top):
    """A case after its visit. Its folder is gone, unless it is kept."""
    folder = top / str(number)
    folder.mkdir()
    case = Case(args, number, folder)
    try:
        visit(case)
    except Exception as error:  # an exception that a campaign did not expect is also worth a report
        where = traceback.extract_tb(error.__traceback__)[-1]
        case.defect("the campaign failed", f"{error!r} at {where.name}:{where.lineno}")
    if args.keep and case.defects:
        subprocess.run(["cp", "-a", folder, args.keep], check=True)
    shutil.rmtree(folder, ignore_errors=True)
    return case


def each(args, visit):
    """Visits the cases, prints the defects; gives the exit code."""
    begin, done, kinds = time.monotonic(), 0, collections.Counter()
    numbers = [args.only] if args.only is not None else range(args.first, args.count)
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def one(number):
            if time.monotonic() - begin > args.within and number != numbers[0]:
                return None
            return visited(args, visit, number, pathlib.Path(folder))

        for case in filter(None, pool.map(one, numbers)):
            done += 1
            for kind, what, ran in case.defects:
                kinds[kind] += 1
                print(f"{kind}: {what}; {ran}; repeat: {sys.argv[0]} {args.program} "
                      f"--seed {args.seed} --only {case.number}", flush=True)
    found = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
    took = f"{time.monotonic() - begin:.0f} s"
    print(f"{pathlib.Path(sys.argv[0]).name}: {done} cases of {len(numbers)}, seed {args.seed}, "
          f"{took}: {kinds.total()} defects{': ' if found else ''}{found}")
    return 1 if kinds else 0
