"""Tests of remake.sh, with stand-ins for the programs. Run by ctest."""
import gzip
import os
import shutil
import subprocess

from plot_test_case import PLOTS, ScriptTestCase

from findings import files

PROGRAM = """#!/bin/bash
# Writes the last file of its command line, unless that is one that fails.
echo "$(basename "$0") $*${CUDA_DEVICE_MAX_CONNECTIONS:+ queues=$CUDA_DEVICE_MAX_CONNECTIONS}" \
  >> "$CALLS"
file=${!#}
[[ $file != "$FAILING" ]] || { echo "first line" >&2; echo "why it failed" >&2; exit 1; }
echo '{}' > "$file"
"""
PYTHON = """#!/bin/bash
# Draws an empty picture.
[[ $1 != -c ]] || exit 0
name=$(basename "$1" .py)
echo "$name ${*:2}" >> "$CALLS"
[[ $name != "$FAILING" ]] || exit 2
[[ $name == pages ]] || touch "${!#}/$name.png"
"""


class Draw(ScriptTestCase):
    """In a checkout of the scripts alone."""

    def setUp(self):
        super().setUp()
        for folder in ("plots/results", "common/device/profile", "out"):
            (self.folder / folder).mkdir(parents=True)
        for name in ("remake.sh", "prepare.sh"):
            shutil.copy(PLOTS / name, self.folder / "plots")
        self.write(PYTHON, "python").chmod(0o755)
        for name in (*files.NAMES, "profile", "trace"):
            self.write(f'"{name}"', f"out/{name}.json")

    def draw_all(self, **environment):
        return subprocess.run(
            ["bash", "plots/remake.sh", "draw", "out"], cwd=self.folder, text=True, check=False,
            capture_output=True, env={**os.environ, "CALLS": str(self.folder / "calls"),
                                      "PYTHON": str(self.folder / "python"), **environment})

    def test_draws_every_committed_picture(self):
        done = self.draw_all()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        drawn = {path.name for path in (self.folder / "plots/results").glob("*.png")}
        self.assertLessEqual({path.name for path in files.FOLDER.glob("*.png")}, drawn)
        self.assertEqual((self.folder / "calls").read_text().splitlines()[-1], "pages --write")

    def test_takes_the_results_and_the_profile(self):
        self.draw_all()
        made = self.folder / "plots/results"
        taken = {path.name for path in made.glob("*.json*")}
        self.assertEqual(taken, {f"{name}.json.gz" for name in files.NAMES})
        self.assertEqual(gzip.decompress((made / "h200.json.gz").read_bytes()), b'"h200"')
        profile = self.folder / "common/device/profile/h200.json"
        self.assertEqual(profile.read_text(), '"profile"')

    def test_names_what_failed(self):
        for script, name in (("footprint", "footprint.png pools.png"), ("pages", "pages.py")):
            with self.subTest(script=script):
                done = self.draw_all(FAILING=script)
                self.assertEqual((done.returncode, done.stdout), (1, f"failed: {name}\n"))


class Measure(ScriptTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "programs").mkdir()
        for name in ("trilane", "trilane-sim", "truth.py"):
            path = self.folder / "programs" / name
            path.write_text(PROGRAM)
            path.chmod(0o755)
        # Outside the checkout, as on a GPU machine.
        self.script = shutil.copy(PLOTS / "remake.sh", self.folder)

    def remake(self, *arguments, **environment):
        return subprocess.run(
            ["bash", self.script, *arguments], cwd=self.folder, text=True, check=False,
            capture_output=True,
            env={**os.environ, "CALLS": str(self.folder / "calls"), **environment})

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_measures_every_committed_file(self):
        done = self.remake("measure", "programs", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        made = {path.stem for path in (self.folder / "out").glob("*.json")}
        self.assertEqual(made, {*files.NAMES, "profile"} - {*files.IF_TOLD})
        self.assertEqual(len(self.calls()), len(made))
        predicted = [call for call in self.calls() if call.startswith("trilane-sim")]
        self.assertEqual(predicted, [
            "trilane-sim validate h200.json profile.json",
            "trilane-sim run --profile profile.json --json predicted.json"])
        self.assertEqual([call.split()[-3:] for call in self.calls() if "queues=" in call],
                         [["--json", "queues1.json", "queues=1"]])

    def test_times_can_be_short(self):
        self.remake("measure", "programs", "out", TRILANE_REMAKE_TIME="7ms")
        for call in self.calls():
            self.assertEqual("--time=7ms" in call, not call.startswith("trilane-sim "), call)

    def test_goes_on_after_a_step_that_fails_and_names_it(self):
        done = self.remake("measure", "programs", "out", FAILING="pools.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("pools      failed: why it failed\n", done.stdout)
        self.assertTrue(done.stdout.endswith("failed: pools\n"), done.stdout)
        self.assertEqual(len(self.calls()), len(files.NAMES) - len(files.IF_TOLD) + 1)

    def test_never_measures_into_a_folder_with_files(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "h200.json").write_text("{}")
        done = self.remake("measure", "programs", "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'out' holds files", done.stderr)

    def test_steps_can_be_chosen_and_join_what_is_there(self):
        self.assertEqual(self.remake("measure", "programs", "out", "h100", "loop").returncode, 0)
        done = self.remake("measure", "programs", "out", "profile", "lop")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: lop, which is none of h200 truth ", done.stdout)
        self.assertEqual({path.stem for path in (self.folder / "out").glob("*.json")},
                         {"h100", "loop", "profile"})

    def test_wrong_command_lines(self):
        for arguments in ((), ("measure", "programs"), ("draw",), ("draw", "a", "b"),
                          ("paint", "a")):
            with self.subTest(arguments=arguments):
                done = self.remake(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("remake.sh: ", done.stderr)
        self.assertEqual(self.remake("--help").returncode, 0)
