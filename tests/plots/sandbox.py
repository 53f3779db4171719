"""The shell scripts with stand-ins for apt, CMake, the programs and the drawing of pictures."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
APT = """#!/bin/bash
echo "apt-get $*" >> "$CALLS"
case " $* " in
  *" --simulate "*) echo "Inst cmake"; [[ -z $REMOVES ]] || echo "Remv $REMOVES [1.74]" ;;
  *" --assume-no "*)
    printf '%s\\n' "Need to get 4,567 kB of archives." \\
      "After this operation, 23.4 MB of additional disk space will be used."
    exit 1 ;;
  *" install "*) exit "${APT_CODE:-0}" ;;
esac
"""
CMAKE = """#!/bin/bash
echo "cmake $*" >> "$CALLS"
[[ $* == --build* ]] || exec mkdir -p build
cp "$TRILANE" "$2/trilane-sim"
[[ $* == *program_trilane-sim* ]] || cp "$TRILANE" "$2/trilane"
"""
PYTHON = """#!/bin/bash
[[ $1 == -c ]] || exec "$REAL_PYTHON" "$@"  # it can draw
"""
SMI = "#!/bin/bash\n[[ $* == -L ]] && echo 'GPU 0: NVIDIA Example 100'\n"
NO_SMI = "#!/bin/bash\necho 'No devices found.'; exit 6\n"


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
        for tool in ("awk basename bash cat cp date dirname env grep ls mkdir mktemp nproc paste rm "
                     "rmdir sed touch").split():
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.command("id", "#!/bin/bash\necho ${USER_ID:-0}\n")
        self.command("dpkg-query", "#!/bin/bash\nexit 1\n")
        self.command("apt-get", APT)
        self.command("nvcc", "#!/bin/bash\n")
        (self.folder / "os-release").write_text("ID=debian\nVERSION_ID=\"12\"\n")
        (self.folder / "calls").touch()
        self.command("draws-nothing", PYTHON)
        self.environment = {
            "PATH": str(self.bin), "CALLS": str(self.folder / "calls"),
            "PYTHON": str(self.bin / "draws-nothing"), "REAL_PYTHON": sys.executable,
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
