"""Tests of run.sh, and of the summary that it ends with. Run by ctest."""
import shutil
import sys
import unittest

from sandbox import CMAKE, SOURCE, Sandbox

sys.path.insert(0, str(SOURCE / "tests"))

import summary


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
            self.assertEqual(done.stdout,
                         "\nslowest:\n     0.0 s  one\n1 passed, 0 failed, 0 skipped\n")
            self.assertTrue(self.calls()[-1].startswith("ctest "), self.calls())

    def test_a_browser_is_installed_when_asked_for_and_missing(self):
        def installs():
            return [call for call in self.calls() if call.endswith(" chromium")]

        self.assertEqual(self.run_tests().returncode, 0)
        self.assertEqual(installs(), [])
        done = self.run_tests("--all-tools", APT_CODE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without Chromium the report is not tested in a browser", done.stderr)
        self.assertIn("without zsh and fish their completions are not tested", done.stderr)
        self.assertIn("without Open MPI trilane fleet is not tested", done.stderr)
        self.assertIn(" install --yes ", installs()[-1])
        tried = len(installs())
        self.command("chromium", "#!/bin/bash\n")
        self.assertEqual(self.run_tests("--all-tools").returncode, 0)
        self.assertEqual(len(installs()), tried)

    def test_options_that_are_not_understood_are_refused(self):
        done = self.run_tests("--all-tools", "--fast")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "run.sh: '--fast' is not understood; see --help\n"))

    def test_a_gpu_that_is_required_needs_nvcc(self):
        self.assertEqual(self.run_tests(TRILANE_REQUIRE_GPU="1").returncode, 0)
        self.headers_only()
        done = self.run_tests(TRILANE_REQUIRE_GPU="1")
        self.assertEqual(done.returncode, 4)
        self.assertIn("TRILANE_REQUIRE_GPU=1", done.stderr)


class Summary(unittest.TestCase):
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

    def test_the_slowest_come_first(self):
        cases = [summary.xml.etree.ElementTree.Element("testcase", name=f"t{n}", time=str(n / 4))
                 for n in (3, 41, 20)]
        self.assertEqual(summary.slowest(cases, 2), ["    10.2 s  t41", "     5.0 s  t20"])
