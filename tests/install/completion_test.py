"""The completions of bash, zsh and fish, asked as a user's Tab key asks; and the manual page."""
import os
import pty
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

PROGRAM = Path(os.environ["TRILANE_SIM"])
PRESETS = ["launch", "transfer", "balanced", "compute", "reduce", "search"]
# The typed text, required offers, and forbidden ones.
CASES = [
    ("sw", ["sweep"], ["run"]),
    ("c", ["compare", "calibrate", "completion"], ["run"]),
    ("--pre", ["--preset", "--precision"], ["--json"]),
    ("sweep --pre", ["--preset"], ["--precision"]),
    ("sweep --cs", [], ["--csv"]),
    ("run --preset ", PRESETS, ["graph"]),
    ("run --preset launch,tr", ["launch,transfer"], []),
    ("aa graph_b", ["graph_built"], ["launch"]),
    ("run --order b", ["breadth"], ["depth"]),
    ("sweep chu", ["chunks=", "chunk-size="], ["lanes="]),
    ("completion z", ["zsh"], ["bash"]),
    ("schema re", ["results", "recording"], ["sweep"]),
    ("ask two", ["two_streams"], ["free_waits"]),
    ("compare ol", ["old.json"], ["new.json"]),
    ("run --json ne", ["new.json"], ["old.json"]),
]

BASH = r"""
source ./completion
COMP_WORDS=(trilane-sim "$@") COMP_CWORD=$#
_trilane_sim
printf '%s\n' "${COMPREPLY[@]}"
"""

FISH = r"""
source completion
for typed in $argv
    complete -C "trilane-sim $typed"
    echo END
end
"""

# The completions of zsh go to the file "offered". "begin" is made when its editor reads keys on an
# empty line, which Ctrl-X empties, and "end" when it has completed.
ZSH = r"""
PROMPT=; setopt no_beep
fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >> offered; builtin compadd "$@"
}
zle-line-init() { : > begin }; zle -N zle-line-init; LISTMAX=10000
tab() { zle complete-word; : > end }; zle -N tab; bindkey '^I' tab
empty() { BUFFER=; : > begin }; zle -N empty; bindkey '^X' empty
"""


def wait_for(file):
    """Waits until the file is there, and removes it."""
    end = time.monotonic() + 30
    while not file.exists():
        if time.monotonic() > end:
            raise TimeoutError(f"{file.name} never came")
        time.sleep(0.01)
    file.unlink()


def drain(terminal):
    """Reads what the shell prints, which would otherwise wait for a reader."""
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass


def offers_of_zsh(texts, folder):
    """Returns what zsh offers for each: it completes only where somebody types, on a terminal."""
    shutil.copy(folder / "completion", folder / "_trilane-sim")
    (folder / "setup").write_text(ZSH, encoding="utf-8")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ["TERM"] = "xterm"
        os.execvp("zsh", ["zsh", "-f", "-i"])
    reader = threading.Thread(target=drain, args=(terminal,), daemon=True)
    reader.start()
    try:
        os.write(terminal, b". ./setup\n")
        return [offers_to_typist(typed, folder, terminal) for typed in texts]
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        reader.join(10)
        os.close(terminal)


def offers_to_typist(typed, folder, terminal):
    """Returns what zsh offers on that terminal, whose line it leaves empty."""
    offered = folder / "offered"
    offered.write_text("", encoding="utf-8")
    wait_for(folder / "begin")
    os.write(terminal, f"trilane-sim {typed}\t".encode())
    wait_for(folder / "end")
    os.write(terminal, b"\x18")
    # In a comma-separated list zsh completes what follows the last comma.
    begun = typed.split(" ")[-1].rpartition(",")
    return [begun[0] + begun[1] + word for word in offered.read_text(encoding="utf-8").split()]


def said(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True,
                          timeout=60).stdout


def offers(shell, texts, folder):
    """Returns what the shell offers for each of these words behind the program's name."""
    if shell == "zsh":
        return offers_of_zsh(texts, folder)
    if shell == "bash":
        found = [said(["bash", "-c", BASH, "bash", *typed.split(" ")], folder) for typed in texts]
    else:
        found = said(["fish", "--no-config", "-c", FISH, *texts], folder).split("END\n")[:-1]
    return [[line.split("\t")[0].strip() for line in words.splitlines()] for words in found]


class Completion(unittest.TestCase):
    def check(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"there is no {shell} here")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for file in ("old.json", "new.json"):
                (folder / file).touch()
            script = subprocess.run([PROGRAM, "completion", shell], check=True, text=True,
                                    capture_output=True).stdout
            (folder / "completion").write_text(script, encoding="utf-8")
            found_for_all = offers(shell, [typed for typed, _, _ in CASES], folder)
            self.assertEqual(len(found_for_all), len(CASES))
            for found, (typed, wanted, unwanted) in zip(found_for_all, CASES):
                with self.subTest(shell=shell, typed=typed):
                    self.assertEqual([word for word in wanted if word not in found], [], found)
                    self.assertEqual([word for word in unwanted if word in found], [], found)

    def test_bash(self):
        self.check("bash")

    def test_zsh(self):
        self.check("zsh")

    def test_fish(self):
        self.check("fish")


class Manual(unittest.TestCase):
    def test_the_page_is_laid_out_without_a_warning_and_names_everything(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff here")
        page = subprocess.run([PROGRAM, "man"], check=True, capture_output=True).stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=page, check=True,
                              capture_output=True)
        self.assertEqual(done.stderr, b"")
        text = done.stdout.decode()
        for word in ("NAME", "SYNOPSIS", "EXIT STATUS", "sweep KNOB=VALUES", "--result-size",
                     "--fail-on-slower", "--fault", "interrupted"):
            self.assertIn(word, text)
