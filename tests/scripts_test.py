"""Tests of compare.sh, run.sh and what they share, with stand-ins for apt, CMake and trilane."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import nodes_test
import summary
import synthetic

SOURCE = Path(__file__).resolve().parent.parent
LIBRARIES = ("libboost-program-options1.81-dev libboost-test1.81-dev libboost-json1.81-dev "
             "libboost-math1.81-dev libfmt-dev")
APT = """#!/bin/bash
echo "apt-get $*" >> "$CALLS"
case " $* " in
  *" --simulate "*) echo "Inst cmake"; [[ -z $REMOVES ]] || echo "Remv $REMOVES [1.74]" ;;
  *" install "*) exit "${APT_CODE:-0}" ;;
esac
"""
CMAKE = """#!/bin/bash
echo "cmake $*" >> "$CALLS"
[[ $* == --build* ]] || exec mkdir -p build
cp "$TRILANE" "$2/trilane-sim"
[[ $* == *program_trilane-sim* ]] || cp "$TRILANE" "$2/trilane"
"""
TRILANE = """#!/bin/bash
echo "${0##*/} $*" >> "$CALLS"
if [[ $1 == --calibrate ]]; then
  echo "calibrated in no time"
  [[ -n $CALIBRATE_CODE ]] || cp "$PROFILE" "$2"
  exit "${CALIBRATE_CODE:-0}"
fi
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
PREDICTED = """
import pathlib, sys
measured, predicted, folder = sys.argv[1:]
assert pathlib.Path(measured).name == "results.json" and pathlib.Path(predicted).is_file()
pathlib.Path(folder, "predicted.svg").touch()
"""
TIMELINE = """
import pathlib, sys
trace, folder = map(pathlib.Path, sys.argv[1:])
assert trace.read_text() == "a trace\\n"
(folder / "timeline-launch.svg").touch()
"""
REPORT = """
import pathlib, sys
results, *traces, report = map(pathlib.Path, sys.argv[1:])
assert results.name == "results.json" and results.is_file()
report.write_text(" ".join(trace.name for trace in traces) or "without a trace")
"""
SMI = "#!/bin/bash\n[[ $* == -L ]] && echo 'GPU 0: NVIDIA Example 100'\n"
NO_SMI = "#!/bin/bash\necho 'No devices found.'; exit 6\n"
HEADERS = Path(os.environ.get("TRILANE_CUDA_INCLUDE", "/usr/local/cuda/include"))
PICTURES = {f"{name}.{kind}" for name in ("times", "clocks", "speedup", "setup", "footprint")
            for kind in ("png", "svg")}
ALWAYS = {"results.json", "report.html"} | PICTURES
TRACED = {"trace.json", "timeline-launch.svg"}
VERDICTS = "launch: use any of them, made up.\nsearch: use any of them, made up.\n"


class Sandbox(unittest.TestCase):
    """A copy of the scripts, and a PATH that holds only what a test puts there."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.root = self.folder / "a checkout"  # with a space
        shutil.copytree(SOURCE / "plots", self.root / "plots",
                        ignore=shutil.ignore_patterns("results", "__pycache__"))
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for tool in ("awk bash cat cp date dirname env grep ls mkdir mktemp nproc paste rm rmdir "
                     "sed").split():
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.command("id", "#!/bin/bash\necho ${USER_ID:-0}\n")
        self.command("dpkg-query", "#!/bin/bash\nexit 1\n")
        self.command("apt-get", APT)
        self.command("nvcc", "#!/bin/bash\n")
        (self.folder / "os-release").write_text("ID=debian\nVERSION_ID=\"12\"\n")
        (self.folder / "calls").touch()
        self.python = os.environ.get("PYTHON") or sys.executable
        self.environment = {
            "PATH": str(self.bin), "CALLS": str(self.folder / "calls"), "PYTHON": self.python,
            "OS_RELEASE": str(self.folder / "os-release"), "CUDA_HOME": str(self.folder / "no"),
            "GPU_DEVICES": str(self.folder / "dev"), "TRILANE_D3": str(self.folder / "d3.min.js")}
        (self.folder / "d3.min.js").touch()

    def command(self, name, text):
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def run_bash(self, *arguments, **environment):
        return subprocess.run(["bash", *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**self.environment, **environment})

    def prepare(self, function, **environment):
        script = f'set -euo pipefail; . "{self.root}/plots/prepare.sh"; {function}'
        return self.run_bash("-c", script, **environment)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()


class Install(Sandbox):
    def test_names_what_is_missing(self):
        done = self.prepare("missing_packages")
        self.assertEqual(done.stdout.split(), ["cmake", "g++", "git", "make", *LIBRARIES.split()])
        (self.folder / "os-release").write_text("ID=ubuntu\nVERSION_ID=24.04\n")
        for tool in ("cmake", "ninja"):
            self.command(tool, "#!/bin/bash\n")
        done = self.prepare("more_tools=shellcheck; missing_packages")
        self.assertEqual(done.stdout.split(), ["g++", "git", "shellcheck",
                                               *LIBRARIES.replace("1.81", "").split()])

    def test_installed_libraries_are_not_missing(self):
        self.command("dpkg-query", "#!/bin/bash\n[[ ${!#} != *boost* ]] || echo -n installed\n")
        self.assertEqual(self.prepare("missing_packages").stdout.split(),
                         ["cmake", "g++", "git", "make", "libfmt-dev"])
        self.command("g++", "#!/bin/bash\ncat > /dev/null\n")  # compiles and links
        self.assertEqual(self.prepare("missing_packages").stdout.split(), ["cmake", "git", "make"])

    def test_the_library_that_draws_timelines(self):
        self.assertEqual(self.prepare("install_d3").returncode, 0)
        self.assertEqual(self.calls(), [])
        hide = "finds_d3() { return 1; }; unset TRILANE_D3"  # this machine's own would be found
        self.assertEqual(self.prepare(f"{hide}; install_d3").returncode, 0)
        self.assertTrue(self.calls()[-1].endswith(" node-d3"), self.calls())
        for failing in ({"USER_ID": "1000"}, {"APT_CODE": "100"}):
            done = self.prepare(f"{hide}; install_d3", **failing)
            self.assertEqual(done.returncode, 4)
            self.assertIn("TRILANE_D3 may name", done.stderr)
        done = self.prepare("install_d3", TRILANE_D3="/no/d3.min.js")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (4, 1))
        self.assertIn("TRILANE_D3 is '/no/d3.min.js', which is not a file", done.stderr)

    def test_no_python_that_draws(self):
        self.command("python3", "#!/bin/bash\nexit 1\n")
        hide = "find_python() { return 1; }"  # this machine's own would be found
        done = self.prepare(f"{hide}; missing_packages")
        self.assertIn("python3-matplotlib", done.stdout.split())

    def test_installs_only_what_is_missing(self):
        done = self.prepare("install_missing")
        self.assertEqual(done.returncode, 0, done.stderr)
        update, simulate, install = self.calls()
        packages = f"cmake g++ git make {LIBRARIES}"
        self.assertEqual(update, "apt-get update -qq")
        self.assertEqual(simulate, f"apt-get install --simulate --no-install-recommends {packages}")
        self.assertIn("--no-remove", install)
        self.assertTrue(install.endswith(packages), install)

    def test_nothing_missing_leaves_apt_alone(self):
        self.assertEqual(self.prepare("missing_packages() { :; }; install_missing").returncode, 0)
        self.assertEqual(self.calls(), [])

    def test_refuses_to_remove(self):
        done = self.prepare("install_missing", REMOVES="libboost1.74-dev")
        self.assertEqual(done.returncode, 4)
        self.assertIn("would remove libboost1.74-dev", done.stderr)
        self.assertEqual(len(self.calls()), 2, "update and the simulation")

    def test_without_permission_prints_the_command(self):
        done = self.prepare("install_missing", USER_ID="1000")
        self.assertEqual(done.returncode, 4)
        self.assertTrue(done.stderr.endswith(
            "run: sudo apt-get update && sudo apt-get install --yes --no-remove "
            f"--no-install-recommends cmake g++ git make {LIBRARIES}\n"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.command("sudo", "#!/bin/bash\nexit 1\n")  # it would ask for a password
        self.assertEqual(self.prepare("install_missing", USER_ID="1000").stderr, done.stderr)
        self.assertEqual(self.calls(), [])

    def test_with_sudo(self):
        self.command("sudo", '#!/bin/bash\nshift\n'
                             '[[ $1 == true ]] || echo sudo >> "$CALLS"\n"$@"\n')
        (self.bin / "true").symlink_to(shutil.which("true"))
        done = self.prepare("install_missing", USER_ID="1000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call.split()[0] for call in self.calls()], ["sudo", "apt-get"] * 3)

    def test_failures_are_told(self):
        done = self.prepare("install_missing", APT_CODE="100")
        self.assertEqual(done.returncode, 4)
        (self.bin / "apt-get").unlink()
        done = self.prepare("install_missing")
        self.assertEqual(done.returncode, 4)
        self.assertIn("there is no apt here", done.stderr)

    @unittest.skipIf(Path("/usr/include/cuda_runtime_api.h").exists(), "headers are found here")
    def test_nvcc(self):
        (self.bin / "nvcc").unlink()
        done = self.prepare("find_cuda")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (4, 1), done.stderr)
        self.assertIn("CUDA Toolkit 13.0", done.stderr)
        self.assertIn("cuda_runtime_api.h", done.stderr)
        toolkit = self.folder / "no" / "bin"
        toolkit.mkdir(parents=True)
        (toolkit / "nvcc").write_text("#!/bin/bash\n")
        (toolkit / "nvcc").chmod(0o755)
        done = self.prepare("find_cuda; command -v nvcc")
        self.assertEqual((done.stdout.strip(), done.stderr), (str(toolkit / "nvcc"), ""))

    def test_headers_alone_will_do(self):
        (self.bin / "nvcc").unlink()
        headers = self.folder / "some headers" / "include"
        headers.mkdir(parents=True)
        (headers / "cuda_runtime_api.h").touch()
        place = str(headers.parent)
        for variables in ({"CUDA_HOME": place}, {"CUDAToolkit_ROOT": place},
                          {"CMAKE_PREFIX_PATH": f"/nowhere:{place}"}):
            done = self.prepare("find_cuda; echo found", **variables)
            self.assertEqual((done.returncode, done.stdout), (0, "found\n"), done.stderr)
            self.assertIn("only the simulated device", done.stderr)

    def test_why_no_gpu(self):
        def why():
            done = self.prepare("why_no_gpu")
            self.assertEqual(done.returncode, 0)
            return done.stdout
        self.assertEqual(why(), "there is no GPU here\n")
        self.command("nvidia-smi", NO_SMI)
        self.assertEqual(why(), "nvidia-smi finds no GPU\n")
        self.command("nvidia-smi", SMI)
        self.assertEqual(why(), "")
        (self.bin / "nvidia-smi").unlink()
        (self.folder / "dev").mkdir()
        (self.folder / "dev/nvidiactl").touch()
        self.assertEqual(why(), "there is no GPU here\n")
        (self.folder / "dev/nvidia3").touch()  # a container with the devices alone
        self.assertEqual(why(), "")
        (self.bin / "nvcc").unlink()
        self.assertEqual(why(), "there is no nvcc here\n")


class Compare(Sandbox):
    def setUp(self):
        super().setUp()
        self.command("nvidia-smi", SMI)
        for name, script in (("predicted", PREDICTED), ("timeline", TIMELINE),
                             ("report", REPORT)):
            (self.root / f"plots/{name}.py").write_text(script)
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
        """The calls of the program, but for those that only try whether it can trace."""
        return [call for call in self.calls() if call.startswith("trilane")
                and " --force" not in call]

    def test_the_whole_job(self):
        done = self.compare("--output", "out put", "--", "--time", "2s")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "out put"
        self.assertEqual({path.name for path in out.iterdir()},
                         {"profile.json", "predicted.json", "predicted.svg", "nodes.png",
                          "nodes.svg"} | ALWAYS | TRACED)
        self.assertEqual((out / "report.html").read_text(), "trace.json")
        self.assertEqual(self.runs(), [
            f"trilane --json {out}/results.json --csv {out}/results.csv "
            f"--trace {out}/trace.json --time 2s",
            f"trilane --calibrate {out}/profile.json",
            f"trilane-sim --profile {out}/profile.json --json {out}/predicted.json --time 2s"])
        self.assertEqual(done.stdout, f"\nResults and pictures: {out}\n"
                         f"All in one file: {out}/report.html\n" + VERDICTS)
        self.assertNotIn("SIMULATED", done.stderr)
        self.assertFalse([call for call in self.calls() if call.startswith("apt-get")])

    def test_the_device_is_for_the_gpu_only(self):
        for device in (["--device", "1"], ["--device=1"]):
            (self.folder / "calls").write_text("")
            out = self.folder / device[0].replace("=", "")
            done = self.compare("--output", out, "--", "--seed", "2", *device, "--lanes", "3")
            self.assertEqual(done.returncode, 0, done.stderr)
            _, calibrated, predicted = self.runs()
            words = " ".join(device)
            self.assertEqual(calibrated, f"trilane --calibrate {out}/profile.json {words}")
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
        (self.root / "plots/report.py").write_text("raise SystemExit(4)")
        done = self.compare("--output", "out", TRILANE_D3="/no/d3.min.js")
        self.assertEqual(done.returncode, 4)
        self.assertIn("compare.sh: going on without the report\n", done.stderr)
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertEqual(ALWAYS - names, {"report.html"})
        self.assertTrue(done.stdout.endswith(VERDICTS), done.stdout)

    def test_options_that_refuse_a_trace_are_run_without(self):
        done = self.compare("--output", "out", "--", "--processes", "2", REFUSES_TRACE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("there are no timelines: these options exclude tracing\n", done.stderr)
        self.assertEqual([" --trace " in call for call in self.runs()[:2]], [True, False])
        self.assertEqual((self.folder / "out/report.html").read_text(), "without a trace")

    def check_simulated(self, why, *arguments, built=True, **environment):
        """The job ran on the simulated device, and it was said at the start and at the end."""
        out = self.folder / "out"
        done = self.compare("--output", out, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({path.name for path in out.iterdir()}, ALWAYS | TRACED)
        self.assertEqual(self.runs()[-1], f"trilane-sim --json {out}/results.json "
                         f"--csv {out}/results.csv --trace {out}/trace.json")
        self.assertEqual([call.split()[0] for call in self.runs()],
                         ["trilane-sim"] if built else ["trilane", "trilane-sim"])
        said = f"compare.sh: {why}: everything "
        self.assertIn(f"{said}is SIMULATED, and nothing measured\n", done.stderr)
        self.assertTrue(done.stderr.endswith(f"{said}was SIMULATED, and nothing measured\n"))
        self.assertEqual(done.stdout, f"\nResults and pictures: {out}\n"
                         f"All in one file: {out}/report.html\nSimulated, not measured: "
                         "the times are those of NVIDIA Example 100.\n" + VERDICTS)
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
        self.check_simulated("as asked with --simulate", "--simulate")

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
        for code in ("1", "130"):  # there are results all the same
            done = self.compare("--output", f"out{code}", TRILANE_CODE=code)
            self.assertEqual(done.returncode, int(code))
            self.assertTrue((self.folder / f"out{code}" / "speedup.svg").exists())
            predicted = (self.folder / f"out{code}" / "predicted.json").exists()
            self.assertEqual(predicted, code == "1", "an interrupt ends it all")

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


class Run(Sandbox):
    """tests/run.sh; ctest passes one test."""

    def setUp(self):
        super().setUp()
        self.command("cmake", CMAKE)
        for tool in ("git", "make", "g++", "shellcheck"):
            self.command(tool, "#!/bin/bash\n")
        self.command("ctest", '#!/bin/bash\necho "ctest $*" >> "$CALLS"\n'
                     'echo \'<a><testcase name="one" status="run"/></a>\' > "${!#}"\n')
        (self.folder / "trilane").touch()
        self.environment["TRILANE"] = str(self.folder / "trilane")
        (self.root / "tests").mkdir()
        for name in ("run.sh", "summary.py"):
            shutil.copy(SOURCE / "tests" / name, self.root / "tests")

    def run_tests(self, *arguments, **environment):
        return self.run_bash(self.root / "tests/run.sh", *arguments, **environment)

    def headers_only(self):
        (self.bin / "nvcc").unlink()
        headers = self.folder / "no/include"
        headers.mkdir(parents=True)
        (headers / "cuda_runtime_api.h").touch()

    def test_with_and_without_nvcc_all_that_was_built_is_run(self):
        for prepare in (lambda: None, self.headers_only):
            prepare()
            done = self.run_tests()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "\n1 passed, 0 failed, 0 skipped\n")
            self.assertTrue(self.calls()[-1].startswith("ctest "), self.calls())

    def test_a_browser_is_installed_when_asked_for_and_missing(self):
        def installs():
            return [call for call in self.calls() if call.endswith(" chromium")]

        self.assertEqual(self.run_tests().returncode, 0)
        self.assertEqual(installs(), [])
        done = self.run_tests("--browser", APT_CODE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without Chromium the report is not tested in a browser", done.stderr)
        self.assertIn(" install --yes ", installs()[-1])
        tried = len(installs())
        self.command("chromium", "#!/bin/bash\n")
        self.assertEqual(self.run_tests("--browser").returncode, 0)
        self.assertEqual(len(installs()), tried)

    def test_options_that_are_not_understood_are_refused(self):
        done = self.run_tests("--browser", "--fast")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "run.sh: '--fast' is not understood; see --help\n"))

    def test_a_gpu_that_is_required_needs_nvcc(self):
        self.assertEqual(self.run_tests(TRILANE_REQUIRE_GPU="1").returncode, 0)
        self.headers_only()
        done = self.run_tests(TRILANE_REQUIRE_GPU="1")
        self.assertEqual(done.returncode, 4)
        self.assertIn("TRILANE_REQUIRE_GPU=1", done.stderr)


@unittest.skipUnless(shutil.which("cmake") and (HEADERS / "cuda_runtime_api.h").exists(),
                     "without cmake or the CUDA headers")
class Configure(unittest.TestCase):
    """The real CMake on a machine without nvcc: it is kept from finding the toolkit."""

    def configure(self, root):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        done = subprocess.run(["cmake", "-S", SOURCE, "-B", holder.name,
                               "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON",
                               f"-DCUDAToolkit_ROOT={root}"],
                              capture_output=True, text=True, check=False)
        cache = (Path(holder.name) / "CMakeCache.txt").read_text()
        self.assertNotIn("CMAKE_CUDA_COMPILER", cache)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def test_headers_alone_make_the_simulated_device(self):
        code, said = self.configure(HEADERS.parent)
        self.assertEqual(code, 0, said)
        self.assertIn("No nvcc: only the simulated device is built, with the CUDA headers in "
                      f"{HEADERS}", said)

    def test_headers_that_are_too_old_are_refused(self):
        with tempfile.TemporaryDirectory() as root:
            include = Path(root) / "include"
            include.mkdir()
            (include / "cuda_runtime_api.h").write_text("#define CUDART_VERSION  12080\n")
            code, said = self.configure(root)
        self.assertEqual(code, 1, said)
        self.assertIn(f"those in {include} are 12080. Put nvcc 13.0 or newer", said)


class Report(unittest.TestCase):
    def test_outcomes(self):
        def case(name, status, message=None):
            made = summary.xml.etree.ElementTree.Element("testcase", name=name, status=status)
            if message is not None:
                summary.xml.etree.ElementTree.SubElement(made, "skipped", message=message)
            return made
        found = summary.sort_out([
            case("good", "run"), case("bad", "fail"), case("off", "disabled"),
            case("gpu", "notrun", "SKIP_RETURN_CODE=77"),
            case("gpu2", "notrun", "SKIP_REGULAR_EXPRESSION_MATCHED"),
            case("lost", "notrun", "Unable to find executable"), case("odd", "new")])
        self.assertEqual(found, {"passed": ["good"], "failed": ["bad", "lost", "odd"],
                                 "skipped": ["off", "gpu", "gpu2"]})


@unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
class Lint(unittest.TestCase):
    def test_shell_scripts(self):
        scripts = sorted(path.relative_to(SOURCE) for pattern in ("plots/*.sh", "tests/*.sh",
                         ".ci/*") for path in SOURCE.glob(pattern))
        done = subprocess.run(["shellcheck", "-x", "-P", ".", *scripts], cwd=SOURCE,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
