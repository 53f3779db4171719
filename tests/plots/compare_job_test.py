"""Tests of compare.sh with a stand-in for the programs. Run by ctest."""
import json

import nodes_test
import synthetic
from sandbox import CMAKE, NO_SMI, SMI, Sandbox

TRILANE = """#!/bin/bash
echo "${0##*/} $*" >> "$CALLS"
if [[ $1 == calibrate ]]; then
  echo "calibrated in no time"
  [[ -n $CALIBRATE_CODE ]] || cp "$PROFILE" "$2"
  exit "${CALIBRATE_CODE:-0}"
fi
if [[ $1 == validate ]]; then cp "$5" "$3"; exit; fi
if [[ " $* " == *" --force "* ]]; then  # a trial
  [[ -z $NO_TRACE ]] || { echo "${0##*/}: $NO_TRACE" >&2; exit "${TRIAL_CODE:-0}"; }
  echo "a trace" > "$8"
  exit
fi
[[ -z $REFUSES_TRACE || " $* " != *" --trace "* ]] || exit 2
[[ $1 != --profile ]] || { echo "tables of predictions"; shift 2; }
wrote() { [[ $5 != --trace ]] || echo "a trace" > "$6"; }
if [[ $0 == *-sim ]]; then
  cp "$SIMULATED" "$2" && wrote "$@"
  exit "${SIMULATED_CODE:-0}"
fi
[[ -z $RESULTS ]] || { cp "$RESULTS" "$2" && wrote "$@"; }
exit "${TRILANE_CODE:-0}"
"""
# Stands in for the scripts, except for those that REAL names.
PYTHON = """#!/bin/bash
name=${1##*/} name=${name%.py}
[[ " $REAL " != *" $name "* ]] || exec "$REAL_PYTHON" "$@"
case $name in
  -c) ;;  # it can draw
  times|clocks|speedup|setup|footprint|nodes) [[ -s $2 ]] && touch "$3/$name."{png,svg} ;;
  predicted) [[ ${2##*/} == results.json && -f $3 ]] && touch "$4/predicted.svg" ;;
  timeline)
    [[ -z $TIMELINE_CODE ]] || exit "$TIMELINE_CODE"
    [[ $(< "$2") == "a trace" ]] && touch "$3/timeline-launch.svg" ;;
  report)
    [[ -z $REPORT_CODE && ${2##*/} == results.json && -f $2 ]] || exit "${REPORT_CODE:-1}"
    (($# == 4)) && said=${3##*/} || said="without a trace"
    printf %s "$said" > "${!#}" ;;
  verdicts) [[ -s $2 ]] && echo "verdicts of ${2##*/}" ;;
  *) exit 2 ;;
esac
"""
PICTURES = {f"{name}.{kind}" for name in ("times", "clocks", "speedup", "setup", "footprint")
            for kind in ("png", "svg")}
ALWAYS = {"results.json", "report.html"} | PICTURES
TRACED = {"trace.json", "timeline-launch.svg"}
VERDICTS = "verdicts of results.json\n"
REAL_VERDICTS = "launch: use any of them, made up.\nsearch: use any of them, made up.\n"


class Compare(Sandbox):
    def setUp(self):
        super().setUp()
        self.command("nvidia-smi", SMI)
        self.command("draws-nothing", PYTHON)
        self.command("cmake", CMAKE)
        for tool in ("git", "make", "g++"):
            self.command(tool, "#!/bin/bash\n")
        (self.folder / "trilane").write_text(TRILANE)
        (self.folder / "trilane").chmod(0o755)
        (self.folder / "made.json").write_text(json.dumps(synthetic.results(["launch", "search"])))
        self.environment["TRILANE"] = str(self.folder / "trilane")
        self.environment["RESULTS"] = str(self.folder / "made.json")
        simulated = synthetic.results(["launch", "search"], simulated="NVIDIA Example 100")
        (self.folder / "simulated.json").write_text(json.dumps(simulated))
        (self.folder / "profile.json").write_text(json.dumps(nodes_test.made_up()))
        self.environment["PROFILE"] = str(self.folder / "profile.json")
        self.environment["SIMULATED"] = str(self.folder / "simulated.json")

    def compare(self, *arguments, **environment):
        return self.run_bash(self.root / "plots/compare.sh", *arguments, **environment)

    def runs(self):
        """Returns the calls of the program, without those that only try whether it can trace."""
        return [call for call in self.calls() if call.startswith("trilane")
                and " --force" not in call]

    def test_the_whole_job(self):
        done = self.compare("--output", "out put", "--", "--time", "2s",
                            REAL="-c times clocks speedup setup footprint nodes verdicts")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "out put"
        self.assertEqual({path.name for path in out.iterdir()},
                         {"profile.json", "predicted.json", "predicted.svg", "nodes.png",
                          "nodes.svg"} | ALWAYS | TRACED)
        self.assertEqual((out / "report.html").read_text(), "trace.json")
        self.assertEqual(self.runs(), [
            f"trilane --json {out}/results.json --csv {out}/results.csv "
            f"--trace {out}/trace.json --time 2s",
            f"trilane calibrate {out}/calibrated.json",
            f"trilane-sim validate {out}/results.json {out}/profile.json "
            f"--profile {out}/calibrated.json",
            f"trilane-sim --profile {out}/profile.json --json {out}/predicted.json --time 2s"])
        self.assertEqual(done.stdout, f"\nResults and pictures: {out}\n"
                         f"All in one file: {out}/report.html\n" + REAL_VERDICTS)
        self.assertNotIn("SIMULATED", done.stderr)
        self.assertFalse([call for call in self.calls() if call.startswith("apt-get")])

    def test_the_device_is_for_the_gpu_only(self):
        for device in (["--device", "1"], ["--device=1"]):
            (self.folder / "calls").write_text("")
            out = self.folder / device[0].replace("=", "")
            done = self.compare("--output", out, "--", "--seed", "2", *device, "--lanes", "3")
            self.assertEqual(done.returncode, 0, done.stderr)
            _, calibrated, _, predicted = self.runs()
            words = " ".join(device)
            self.assertEqual(calibrated, f"trilane calibrate {out}/calibrated.json {words}")
            self.assertTrue(predicted.endswith("/predicted.json --seed 2 --lanes 3"), predicted)

    def test_a_prediction_that_fails_leaves_the_measured_results(self):
        for failure, files in (({"CALIBRATE_CODE": "4"}, set()),
                               ({"SIMULATED_CODE": "4"}, {"profile.json", "predicted.json",
                                                          "predicted.svg", "nodes.png",
                                                          "nodes.svg"})):
            out = self.folder / next(iter(failure))
            done = self.compare("--output", out, **failure)
            self.assertEqual(done.returncode, 4)
            self.assertEqual({path.name for path in out.iterdir()},
                             ALWAYS | TRACED | files)
            self.assertTrue(done.stdout.endswith(VERDICTS), done.stdout)

    def test_a_job_that_cannot_be_traced_has_all_but_timelines(self):
        for code in ("0", "4"):
            out = self.folder / f"out{code}"
            done = self.compare("--output", out, "--", "--lanes", "3", NO_TRACE="no CUPTI here",
                                TRIAL_CODE=code)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("compare.sh: there are no timelines: trilane: no CUPTI here\n",
                          done.stderr)
            names = {path.name for path in out.iterdir()}
            self.assertEqual((names & TRACED, ALWAYS - names), (set(), set()))
            self.assertEqual((out / "report.html").read_text(), "without a trace")
            self.assertFalse([run for run in self.runs() if "--trace" in run])
        wrong = self.compare("--output", "none", NO_TRACE="x", RESULTS="", TRILANE_CODE="2")
        self.assertEqual(wrong.returncode, 2)
        self.assertNotIn("timelines", wrong.stderr)

    def test_without_the_library_of_the_report_all_else_is_made(self):
        done = self.compare("--output", "out", TRILANE_D3="/no/d3.min.js", REPORT_CODE="4")
        self.assertEqual(done.returncode, 4)
        self.assertIn("compare.sh: going on without the report\n", done.stderr)
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertEqual(ALWAYS - names, {"report.html"})
        self.assertTrue(done.stdout.endswith(VERDICTS), done.stdout)

    def test_options_that_refuse_a_trace_are_run_without(self):
        done = self.compare("--output", "out", "--", "--processes", "2", REFUSES_TRACE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("there are no timelines: these options ", done.stderr)
        self.assertEqual([" --trace " in call for call in self.runs()[:2]], [True, False])
        self.assertEqual((self.folder / "out/report.html").read_text(), "without a trace")

    def check_simulated(self, why, *arguments, built=True, verdicts=VERDICTS, **environment):
        """The job ran on the simulated device, and it was said at the start and at the end."""
        out = self.folder / "out"
        done = self.compare("--output", out, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({path.name for path in out.iterdir()}, ALWAYS | TRACED)
        self.assertEqual(self.runs()[-1], f"trilane-sim --json {out}/results.json "
                         f"--csv {out}/results.csv --trace {out}/trace.json --check")
        self.assertEqual([call.split()[0] for call in self.runs()],
                         ["trilane-sim"] if built else ["trilane", "trilane-sim"])
        said = f"compare.sh: {why}: everything "
        self.assertIn(f"{said}is SIMULATED, and nothing measured\n", done.stderr)
        self.assertTrue(done.stderr.endswith(f"{said}was SIMULATED, and nothing measured\n"))
        self.assertEqual(done.stdout, f"\nResults and pictures: {out}\n"
                         f"All in one file: {out}/report.html\n" + verdicts)
        builds = [call for call in self.calls() if call.startswith("cmake --build")]
        self.assertTrue(builds[-1].endswith("--target program_trilane-sim"), builds)
        self.assertEqual(len(builds), 1 if built else 2)

    def test_without_a_gpu_the_job_is_simulated(self):
        self.command("nvidia-smi", NO_SMI)
        self.check_simulated("nvidia-smi finds no GPU")

    def test_without_a_driver_the_job_is_simulated(self):
        (self.bin / "nvidia-smi").unlink()
        self.check_simulated("there is no GPU here")

    def test_without_nvcc_the_job_is_simulated(self):
        (self.bin / "nvcc").unlink()
        headers = self.folder / "no/include"
        headers.mkdir(parents=True)
        (headers / "cuda_runtime_api.h").touch()
        self.check_simulated("there is no nvcc here")

    def test_a_gpu_that_trilane_cannot_use_is_simulated(self):
        self.check_simulated("trilane finds no usable GPU", built=False, RESULTS="",
                             TRILANE_CODE="3")

    def test_simulated_as_asked(self):
        self.check_simulated(
            "as asked with --simulate", "--simulate", REAL="verdicts",
            verdicts="Simulated, not measured: the times are those of NVIDIA Example 100.\n" +
            REAL_VERDICTS)

    def test_a_failed_simulation_shows(self):
        done = self.compare("--simulate", "--output", "out", SIMULATED_CODE="1")
        self.assertEqual(done.returncode, 1)
        self.assertTrue((self.folder / "out/speedup.svg").exists())

    def test_default_folder(self):
        self.assertEqual(self.compare().returncode, 0)
        (folder,) = (self.root / "results").iterdir()
        self.assertRegex(folder.name, r"^\d{8}-\d{6}$")

    def test_exit_codes_pass_through(self):
        done = self.compare("--output", "out", RESULTS="", TRILANE_CODE="2")
        self.assertEqual(done.returncode, 2)
        self.assertFalse((self.folder / "out").exists(), "an empty folder is left")
        for code in ("1", "130"):  # there are results nevertheless
            done = self.compare("--output", f"out{code}", TRILANE_CODE=code)
            self.assertEqual(done.returncode, int(code))
            self.assertTrue((self.folder / f"out{code}" / "speedup.svg").exists())
            predicted = (self.folder / f"out{code}" / "predicted.json").exists()
            self.assertEqual(predicted, code == "1", "an interrupt ends it all")

    def test_failed_timelines_fail_the_job_that_draws_all_else(self):
        done = self.compare("--output", "out", TIMELINE_CODE="5")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertTrue((self.folder / "out" / "report.html").exists())

    def test_never_overwrites(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/mine").touch()
        for name, code in (("out", 2), ("out/mine", 2), ("made.json/out", 5)):
            done = self.compare("--output", name)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), done.stderr)
        self.assertEqual(self.calls(), [])

    def test_wrong_options(self):
        for arguments in (["--outptu", "x"], ["word"], ["--output"], ["--time", "2s"]):
            self.assertEqual(self.compare(*arguments).returncode, 2)
        self.assertIn("--output DIR", self.compare("--help").stdout)
        self.assertIn("--simulate ", self.compare("--help").stdout)
        self.assertEqual(self.calls(), [])

    def test_a_failed_build_is_shown(self):
        self.command("cmake", "#!/bin/bash\necho the reason; exit 1\n")
        done = self.compare("--output", "out")
        self.assertEqual(done.returncode, 4)
        self.assertIn("the reason\n", done.stderr)
        self.assertFalse((self.folder / "out").exists())
