#!/usr/bin/env python3
"""Checks whether bad kernels and pipeline files are noticed, in words that help, and take nothing
with them.

Writes each case of bad_kernel_cases.py to a folder of its own and runs
  PROGRAM run --pipeline before.json,bad.json,after.json --time 0.3s --json r.json
where before and after are good pipelines. With exit code 2 nothing may have run, the message is one
line, and `PROGRAM pipeline check bad.json` says the same. With exit code 1 every variant of the two
good pipelines must have run. No run may take longer than --within, die by a signal or leave a
process behind.

Exit codes: 0 no defect, 1 defects, 2 usage.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "campaigns"))

import bad_kernel_cases as bad
import case as campaign_case

WITHOUT_GPU = {bad.Needs.FILE, bad.Needs.COMPILER}
COMPILED = (".cubin", ".ptx")


def nvcc():
    """The path of the compiler; nothing where there is none."""
    return shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")


def write_good(folder):
    """Two good pipelines with kernels of their own."""
    (folder / "good.cu").write_text(bad.GOOD)
    for name in ("before", "after"):
        pipeline = json.loads(json.dumps(bad.PIPELINE))
        bad.kernel_stage(pipeline)["file"] = "good.cu"
        (folder / f"{name}.json").write_text(json.dumps({"name": name, **pipeline}, indent=1))


def write_cubin(case, folder):
    architecture, name, kept = case.cubin
    subprocess.run([nvcc(), f"-arch={architecture}", "-cubin", "-o", name, "bad.cu"], cwd=folder,
                   check=True, capture_output=True)
    if kept:
        os.truncate(folder / name, kept)


def write(case, folder):
    """All files of a case. What is compiled already is what the pipeline then names."""
    (folder / "bad.cu").write_text(case.kernel)
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    if case.cubin:
        write_cubin(case, folder)
    compiled = [path.name for path in folder.iterdir() if path.suffix in COMPILED]
    if compiled:
        bad.kernel_stage(case.pipeline)["file"] = compiled[0]
    (folder / "bad.json").write_text(case.text or json.dumps({"name": "bad", **case.pipeline},
                                                             indent=1))


def statuses(folder):
    """Each variant's status, by the pipeline's name; empty without results."""
    path = folder / "r.json"
    if not path.exists():
        return {}
    return {c["workload"]["name"]: {m["variant"]: m["status"] for m in c["measurements"]}
            for c in json.loads(path.read_text())["comparisons"]}


def check_words(run, case, end):
    messages = (end.err + end.out).decode(errors="replace")
    for words in bad.missing(case, messages):
        run.defect("words are missing", f"{words!r} in: {end.last_words()}")


def check_refused(run, case, end):
    """A mistake that is found before anything runs."""
    if case.lines:
        run.check_refusal(end)
    if ran := statuses(run.folder):
        run.defect("something ran", ", ".join(ran))


def check_others(run):
    """The good pipelines lose nothing by the bad one."""
    found = statuses(run.folder)
    for name in ("before", "after"):
        lost = [variant for variant, status in found.get(name, {}).items()
                if status not in ("ok", "not supported")]
        if name not in found:
            run.defect("a good pipeline is lost", name)
        elif lost:
            run.defect("variants of a good pipeline are lost", f"{name}: {', '.join(lost)}")


def ended(run, case, words, args):
    """Runs the program; what holds of every end."""
    end = run.finish(run.start(words), args.within)
    if not run.check(end):
        return None
    if end.code != case.code:
        run.defect("exit code", f"{end.code}, not {case.code}: {end.last_words()}")
        return None
    check_words(run, case, end)
    return end


def visit(run, case, args):
    write_good(run.folder)
    write(case, run.folder)
    if case.code == 2:
        end = ended(run, case, ["pipeline", "check", "bad.json"], args)
        if end and case.lines:
            run.check_refusal(end)
    if args.without_gpu:
        return
    end = ended(run, case, ["run", "--pipeline", "before.json,bad.json,after.json", *case.options,
                            "--time", args.time, "--json", "r.json"], args)
    if end and case.code == 2:
        check_refused(run, case, end)
    elif end:
        check_others(run)


def chosen(args):
    """The cases that can run here; names the others."""
    cases = [case for case in bad.CASES if not args.only or args.only in case.name]
    able = [case for case in cases if (not args.without_gpu or case.needs in WITHOUT_GPU)
            and (case.needs != bad.Needs.NVCC or nvcc())]
    for case in cases:
        if case not in able:
            print(f"skipped  {case.name}: needs {case.needs.value}")
    return able


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM", type=pathlib.Path, help="a trilane")
    parser.add_argument("--only", metavar="WORDS", help="the cases whose name has these words")
    parser.add_argument("--without-gpu", action="store_true",
                        help="only what pipeline check finds in files and with NVRTC")
    parser.add_argument("--time", default="0.3s", help="measuring time of each run (0.3s)")
    parser.add_argument("--within", type=float, default=120, metavar="SECONDS",
                        help="a run that takes longer hangs (120)")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps the folders of defects there")
    parser.add_argument("--list", action="store_true", help="lists the cases and ends")
    args = parser.parse_args()
    if not args.program.is_file():
        parser.error(f"'{args.program}' is no file")
    args.program = args.program.resolve()
    args.seed, args.sanitized, args.gpu = 1, False, True  # the attributes that a campaign's case
                                                          # reads
    return args


def main():
    args = arguments()
    if args.list:
        for case in bad.CASES:
            print(f"{case.name}: exit code {case.code}, says {', '.join(case.words)}; needs "
                  f"{case.needs.value}")
        return 0
    kinds, cases = collections.Counter(), chosen(args)
    with tempfile.TemporaryDirectory(prefix="bad-kernels-") as top:
        for number, case in enumerate(cases):
            folder = pathlib.Path(top) / str(number)
            folder.mkdir()
            run = campaign_case.Case(args, number, folder)
            visit(run, case, args)
            print(f"{'DEFECT' if run.defects else 'passed'}   {case.name}", flush=True)
            for kind, what, ran in run.defects:
                kinds[kind] += 1
                print(f"         {kind}: {what}; {ran}", flush=True)
            if args.keep and run.defects:
                shutil.copytree(folder, args.keep / case.name.replace(" ", "_"), dirs_exist_ok=True)
    print(f"{len(cases)} cases of {len(bad.CASES)}, {kinds.total()} defects")
    return 1 if kinds or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
