"""Runs `trilane fleet` under mpirun, with simulated GPUs and with ranks that fail."""
import gzip
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["TRILANE_PROGRAM"]
RANK = Path(PROGRAM).with_name("trilane-fleet")
WORK = ["--preset=transfer", "--variant=streams,graph"]
needs_mpi = unittest.skipUnless(RANK.exists() and shutil.which("mpirun"), "there is no MPI here")


def call(*words, **variables):
    # Leaks of MPI are not ours.
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "ASAN_OPTIONS": "detect_leaks=0",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **variables}
    return subprocess.run([*map(str, words)], env=environment, capture_output=True, text=True,
                          check=False)


def mpirun(*ranks):
    """Each group of ranks is their number and their words."""
    words = ["mpirun", "--oversubscribe"]
    for number, *one in ranks:
        words += ["-n", number, *one, ":"]
    return call(*words[:-1])


class Fleet(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.results = self.folder / "results"

    def fleet(self, *more):
        return [PROGRAM, "fleet", self.results, *WORK, *more]

    def rank(self, script, limit_s=60):
        """The words of a rank whose measurement is a shell script."""
        program = self.folder / "program"
        program = program.with_name(f"program{len(list(self.folder.iterdir()))}")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return [RANK, program, self.results, limit_s, "local", "run", *WORK]

    def left_out(self):
        lines = (self.results / "fleet.left-out.txt").read_text().splitlines()
        return dict(line.split("\t") for line in lines)

    @needs_mpi
    def test_odd_killed_and_hanging_ranks_are_named_and_nothing_else_is_lost(self):
        gpus = "--gpus=8,5=95%"
        done = mpirun((6, *self.fleet(gpus)),
                      (1, *self.rank(f'"{PROGRAM}" "$@" {gpus}; kill -KILL $$')),
                      (1, *self.rank("kill -STOP $$", limit_s=1)))
        self.assertEqual(done.returncode, 1, done.stderr)
        left_out = self.left_out()
        self.assertEqual([Path(file).name for file in left_out],
                         ["rank-6.json.gz", "rank-7.json.gz"])
        killed, hanging = left_out.values()
        self.assertRegex(killed,
                         "^rank 6, .+ GPU 6: was ended by signal 9.*; its results so far count$")
        self.assertRegex(hanging, "^rank 7, .+ GPU 7: took longer than 1 s; no results$")
        page = " ".join(done.stdout.split())
        self.assertIn(killed, page)
        self.assertIn(hanging, page)
        with gzip.open(self.results / "fleet.json.gz") as file:
            fleet = json.load(file)
        self.assertEqual(len(fleet["machines"]), 7)
        odd = fleet["odd"]
        self.assertEqual([one["machine"].split()[-1] for one in odd], ["5"], odd)
        self.assertTrue(any("copy" in figure["name"] for figure in odd[0]["figures"]), odd)
        again = call(PROGRAM, "merge", *sorted(self.results.glob("rank-*.json.gz")))
        self.assertEqual(again.returncode, 0, again.stderr)

    @needs_mpi
    def test_without_a_gpu_and_without_results_a_rank_says_why(self):
        done = mpirun((1, *self.fleet("--device=1")))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no rank has results", done.stderr)
        self.assertIn("--device 1: there is 1 device here", done.stderr)

    @needs_mpi
    def test_results_of_an_earlier_run_stay_unless_forced(self):
        self.results.mkdir()
        (self.results / "rank-7.json.gz").touch()
        done = mpirun((2, *self.fleet()))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("has results of an earlier run", done.stderr)
        self.assertEqual(len(list(self.results.iterdir())), 1)
        self.assertEqual(mpirun((1, *self.fleet("--force"))).returncode, 0)
        self.assertFalse((self.results / "rank-7.json.gz").exists())

    @needs_mpi
    def test_ranks_that_do_not_know_of_each_other_are_refused(self):
        done = call(*self.fleet(), SLURM_STEP_NUM_TASKS="4")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("SLURM_STEP_NUM_TASKS is 4, but MPI has 1 rank", done.stderr)

    def test_ranks_may_not_choose_different_work(self):
        done = call(*self.fleet("--kernel-time=50us"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("give --rounds instead", done.stderr)

    def test_without_mpi_it_says_what_is_missing_and_what_does_the_same(self):
        program = shutil.copy(PROGRAM, self.folder / "bin")
        done = call(program, "fleet", self.results, *WORK)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("needs trilane-fleet, which is built where MPI is found", done.stderr)
        self.assertIn("trilane merge *.json does the same", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
