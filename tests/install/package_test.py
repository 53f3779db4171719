"""Tries what `cmake --install` and cpack lay down where it was laid."""
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["TRILANE_BUILD"])
HAS_GPU_PROGRAM = os.environ["TRILANE_FLAVOURS"] == "both"
PROGRAMS = {"trilane", "trilane-sim"} if HAS_GPU_PROGRAM else {"trilane-sim"}
SCHEMAS = {file.name for file in (Path(__file__).parents[2] / "plots/schemas").iterdir()}


def call(*words, folder):
    done = subprocess.run([*map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


class Package(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def check(self, top):
        """A tree with bin/ and share/ holds all that belongs there, and works."""
        self.assertEqual({path.name for path in (top / "bin").iterdir()}, PROGRAMS)
        share = top / "share"
        for name in PROGRAMS:
            for file in (f"man/man1/{name}.1", f"bash-completion/completions/{name}",
                         f"zsh/vendor-completions/_{name}",
                         f"fish/vendor_completions.d/{name}.fish"):
                self.assertGreater((share / file).stat().st_size, 0, file)
        self.assertIn("Apache License", (share / "doc/trilane/LICENSE").read_text())
        self.assertIn("Boost Software License", (share / "doc/trilane/licences.md").read_text())
        self.assertTrue((share / "trilane/variants/graph.cpp").is_file())
        self.assertTrue((share / "trilane/plots/page/parts/page.css").is_file())
        self.assertTrue((share / "trilane/plots/report.py").is_file())
        self.assertEqual({path.name for path in (share / "trilane/plots/schemas").iterdir()},
                         SCHEMAS)
        for name in ("findings", "pages.py"):  # about the repository's pages
            self.assertFalse((share / "trilane/plots" / name).exists(), name)
        others = {path.relative_to(share / "trilane/plots").parts[0]
                  for path in (share / "trilane/plots").rglob("*")
                  if path.suffix not in (".py", ".js", ".css", ".html") and path.is_file()}
        self.assertEqual(others, {"schemas"}, "results, pictures and caches stay in the repository")
        for name in PROGRAMS:
            self.assertIn(name, call(top / "bin" / name, "--version", folder=self.folder))
            self.assertIn("graph_pool", call(top / "bin" / name, "list", folder=self.folder))
        call(top / "bin/trilane-sim", "--preset", "search", "--variant", "streams,graph",
             "--json", "r.json", "--force", folder=self.folder)

    def test_an_installation(self):
        call("cmake", "--install", BUILD, "--prefix", self.folder / "usr", folder=self.folder)
        self.check(self.folder / "usr")

    def test_packages(self):
        kinds = ["TGZ"] + (["DEB"] if shutil.which("dpkg-shlibdeps") else [])
        call("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", ";".join(kinds), "-B",
             self.folder / "made", folder=self.folder)
        archive, = (self.folder / "made").glob("*.tar.gz")
        with tarfile.open(archive) as file:
            file.extractall(self.folder, filter="data") if hasattr(tarfile, "data_filter") \
                else file.extractall(self.folder)
        self.check(self.folder / archive.name.removesuffix(".tar.gz"))
        if "DEB" in kinds:
            package, = (self.folder / "made").glob("*.deb")
            call("dpkg-deb", "--extract", package, self.folder / "root", folder=self.folder)
            self.check(self.folder / "root/usr")
            fields = call("dpkg-deb", "--field", package, folder=self.folder)
            for field in ("Package: trilane", "Depends: ", "libc6", "Maintainer: ", "Description: "):
                self.assertIn(field, fields)
