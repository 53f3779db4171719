"""Tests of what CMake makes of a machine without nvcc, and of the scripts by shellcheck."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from sandbox import SOURCE

HEADERS = Path(os.environ.get("TRILANE_CUDA_INCLUDE", "/usr/local/cuda/include"))


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


@unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
class Lint(unittest.TestCase):
    def test_shell_scripts(self):
        scripts = sorted(path.relative_to(SOURCE) for pattern in ("plots/*.sh", "tests/*.sh",
                         ".ci/*") for path in SOURCE.glob(pattern))
        done = subprocess.run(["shellcheck", "-x", "-P", ".", *scripts], cwd=SOURCE,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
