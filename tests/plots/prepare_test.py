"""Tests of what compare.sh and run.sh share: what they find and install. Run by ctest."""
import shutil
import unittest
from pathlib import Path

from sandbox import NO_SMI, SMI, Sandbox

LIBRARIES = ("libboost-program-options1.81-dev libboost-iostreams1.81-dev libboost-test1.81-dev "
             "zlib1g-dev libfmt-dev libdw-dev")


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
                         ["cmake", "g++", "git", "make", "zlib1g-dev", "libfmt-dev", "libdw-dev"])
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
        self.assertIn("TRILANE_D3 is '/no/d3.min.js'", done.stderr)

    def test_a_build_says_how_far_it_is(self):
        for lines in (["[  4%] a", "[ 10%] b", "[ 39%] c", "[ 41%] d", "[100%] e"],
                      ["[1/50] a", "[5/50] b", "[19/50] c", "[21/50] d", "[50/50] e"]):
            said = "".join(f"echo '{line}'; " for line in lines)
            self.command("cmake", f"#!/bin/bash\n[[ $* != --build* ]] || {{ {said} }}\n")
            done = self.prepare("build release")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertEqual([line.split(": ", 1)[1] for line in done.stderr.splitlines()],
                             ["building", *(f"building: {n}%" for n in (10, 30, 40, 100))])

    def test_a_build_that_fails_is_shown_whole(self):
        for failing in ("--preset", "--build"):
            self.command("cmake", "#!/bin/bash\necho '[ 10%] one'; echo two >&2\n"
                                  f"[[ $* != {failing}* ]] || exit 1\n")
            done = self.prepare("build release")
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertEqual(done.stderr.count("two\n"), 1 if failing == "--preset" else 2)

    def test_no_python_that_draws(self):
        self.command("python3", "#!/bin/bash\nexit 1\n")
        hide = "find_python() { return 1; }"  # this machine's own would be found
        done = self.prepare(f"{hide}; missing_packages")
        self.assertLess({"python3-matplotlib", "python3-jsonschema"}, {*done.stdout.split()})

    def test_installs_only_what_is_missing(self):
        done = self.prepare("install_missing")
        self.assertEqual(done.returncode, 0, done.stderr)
        update, simulate, size, install = self.calls()
        packages = f"cmake g++ git make {LIBRARIES}"
        self.assertEqual(update, "apt-get update -qq")
        self.assertEqual(simulate, f"apt-get install --simulate --no-install-recommends {packages}")
        self.assertEqual(size, f"apt-get install --assume-no --no-install-recommends {packages}")
        self.assertIn(f"installing {packages}: 1 in all, 4,567 kB to download, "
                      "23.4 MB on disk\n", done.stderr)
        self.assertIn("--no-remove", install)
        self.assertTrue(install.endswith(packages), install)

    def test_nothing_missing_leaves_apt_alone(self):
        self.assertEqual(self.prepare("missing_packages() { :; }; install_missing").returncode, 0)
        self.assertEqual(self.calls(), [])

    def test_installs_nothing_where_that_is_not_wanted(self):
        done = self.prepare("may_install=no; install_missing")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (4, 1), done.stderr)
        self.assertIn("--no-install was given; run: apt-get update && apt-get install", done.stderr)
        self.assertEqual(self.calls(), [])
        done = self.prepare("may_install=no; missing_packages() { :; }; install_missing")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

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

    def test_lists_are_updated_once(self):
        done = self.prepare("install_packages one; (install_packages two)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum("update" in call for call in self.calls()), 1)

    def test_with_sudo(self):
        self.command("sudo", '#!/bin/bash\nshift\n'
                             '[[ $1 == true ]] || echo sudo >> "$CALLS"\n"$@"\n')
        (self.bin / "true").symlink_to(shutil.which("true"))
        done = self.prepare("install_missing", USER_ID="1000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call.split()[0] for call in self.calls()], ["sudo", "apt-get"] * 4)

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
        (self.folder / "dev/nvidia3").touch()  # a container with only the devices
        self.assertEqual(why(), "")
        (self.bin / "nvcc").unlink()
        self.assertEqual(why(), "there is no nvcc here\n")
