"""Tests of compare.sh, run.sh and what they share, with stand-ins for apt, CMake and trilane."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

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
[[ $* != --build* ]] || exec cp "$TRILANE" "$2/trilane"
mkdir -p build
"""
TRILANE = """#!/bin/bash
echo "trilane $*" >> "$CALLS"
[[ -z $RESULTS ]] || cp "$RESULTS" "$2"
exit "${TRILANE_CODE:-0}"
"""


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
            "OS_RELEASE": str(self.folder / "os-release"), "CUDA_HOME": str(self.folder / "no")}

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

    def test_nvcc(self):
        (self.bin / "nvcc").unlink()
        done = self.prepare("find_nvcc")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (4, 1), done.stderr)
        self.assertIn("CUDA Toolkit 13.0", done.stderr)
        toolkit = self.folder / "no" / "bin"
        toolkit.mkdir(parents=True)
        (toolkit / "nvcc").write_text("#!/bin/bash\n")
        (toolkit / "nvcc").chmod(0o755)
        done = self.prepare("find_nvcc; command -v nvcc")
        self.assertEqual(done.stdout.strip(), str(toolkit / "nvcc"))


class Compare(Sandbox):
    def setUp(self):
        super().setUp()
        self.command("cmake", CMAKE)
        for tool in ("git", "make", "g++"):
            self.command(tool, "#!/bin/bash\n")
        (self.folder / "trilane").write_text(TRILANE)
        (self.folder / "trilane").chmod(0o755)
        (self.folder / "made.json").write_text(json.dumps(synthetic.results(["launch", "search"])))
        self.environment["TRILANE"] = str(self.folder / "trilane")
        self.environment["RESULTS"] = str(self.folder / "made.json")

    def compare(self, *arguments, **environment):
        return self.run_bash(self.root / "plots/compare.sh", *arguments, **environment)

    def test_the_whole_job(self):
        done = self.compare("--output", "out put", "--", "--time", "2s")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "out put"
        self.assertEqual({path.name for path in out.iterdir()},
                         {"results.json"} | {f"{name}.{kind}" for name in ("times", "clocks",
                                             "speedup") for kind in ("png", "svg")})
        self.assertIn(f"trilane --json {out}/results.json --csv {out}/results.csv --time 2s",
                      self.calls())
        self.assertTrue(done.stdout.endswith(
            f"Results and pictures: {out}\nlaunch: use any of them, made up.\n"
            "search: use any of them, made up.\n"), done.stdout)
        self.assertFalse([call for call in self.calls() if call.startswith("apt-get")])

    def test_default_folder(self):
        self.assertEqual(self.compare().returncode, 0)
        (folder,) = (self.root / "results").iterdir()
        self.assertRegex(folder.name, r"^\d{8}-\d{6}$")

    def test_exit_codes_pass_through(self):
        done = self.compare("--output", "out", RESULTS="", TRILANE_CODE="3")
        self.assertEqual(done.returncode, 3)
        self.assertFalse((self.folder / "out").exists(), "an empty folder is left")
        for code in ("1", "130"):  # there are results all the same
            done = self.compare("--output", f"out{code}", TRILANE_CODE=code)
            self.assertEqual(done.returncode, int(code))
            self.assertTrue((self.folder / f"out{code}" / "speedup.svg").exists())

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
        self.assertEqual(self.calls(), [])

    def test_a_failed_build_is_shown(self):
        self.command("cmake", "#!/bin/bash\necho the reason; exit 1\n")
        done = self.compare("--output", "out")
        self.assertEqual(done.returncode, 4)
        self.assertIn("the reason\n", done.stderr)
        self.assertFalse((self.folder / "out").exists())


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
