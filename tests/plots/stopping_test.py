"""Tests that a signal stops a script, or the report of the program, with 130 and in a line, without
a traceback or a temporary file, whatever it comes into. Run by ctest; needs matplotlib and D3."""
import itertools
import os
import signal
import subprocess
import sys

import synthetic
from plot_test_case import PLOTS, ScriptTestCase

import stopping

# Python imports this when it starts. Each gives the script the signal at a different moment.
AT_THE_START = "stop()"
IN_THE_IMPORT = """
class Finder:
    def find_spec(self, name, *_):
        if name == "matplotlib":
            stop()
sys.meta_path.insert(0, Finder())
"""
IN_A_CALLBACK = IN_THE_IMPORT.replace("stop()", "drop()")
WHILE_WRITING = "os.replace = lambda *_: stop()"
WHILE_WRITING_IN_A_CALLBACK = "os.replace = lambda *_: drop()"
WHILE_CLEARING_UP = """
def unlink(name, remove=os.unlink):
    os.unlink = remove
    stop()
def replace(*_):
    os.unlink = unlink
    raise OSError(28, "full")
os.replace = replace
"""
TWICE = """
def replace(*_):
    try:
        stop()
    finally:
        stop()
os.replace = replace
"""
AT_THE_END = "atexit.register(stop)"
HOOK = """
import atexit, os, signal, sys, time, weakref
def stop():
    os.kill(os.getpid(), signal.{name})
    if {waits}:
        time.sleep(60)
def drop():  # an exception in such a callback goes no further
    kept = lambda: 0
    dropped = weakref.ref(kept, lambda _: stop())
    del kept
if "-c" not in sys.orig_argv:
{moment}
"""


def pairs(first, *others):
    """Pairs of signal and moment: the first moment, which is cheap, with every signal, the others
    with signals in turn; all pairs with TRILANE_LONG."""
    if os.environ.get("TRILANE_LONG"):
        return [*itertools.product(stopping.SIGNALS, (first, *others))]
    return [*((number, first) for number in stopping.SIGNALS),
            *zip(itertools.cycle(stopping.SIGNALS), others)]


class Stopping(ScriptTestCase):
    def stopped(self, number, moment, *command, waits=True):
        """The ended process of a command whose Python gets that signal at that moment."""
        hook = self.folder / "hook"
        hook.mkdir(exist_ok=True)
        (hook / "sitecustomize.py").write_text(HOOK.format(
            name=number.name, waits=waits, moment="".join(f"    {line}\n"
                                                          for line in moment.splitlines())))
        return subprocess.run(
            list(map(str, command)), cwd=self.folder, capture_output=True, text=True, check=False,
            timeout=300, env={**os.environ, "PYTHONPATH": str(hook), "PYTHON": sys.executable,
                              "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in stopping.SIGNALS])

    def assert_stopped(self, done, name):
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (130, "", f"{name}.py: stopped\n"))
        self.assertEqual(self.files("."), {"input.json", "hook"})

    def test_scripts(self):
        self.write(synthetic.results(["launch"], ["streams"]))
        moments = (IN_A_CALLBACK, WHILE_WRITING, WHILE_WRITING_IN_A_CALLBACK, WHILE_CLEARING_UP,
                   TWICE)
        for number, moment in pairs(IN_THE_IMPORT, *moments):
            with self.subTest(signal=number.name, moment=moment):
                self.assert_stopped(self.stopped(
                    number, moment, sys.executable, PLOTS / "times.py", "input.json", "."), "times")

    def test_the_report_of_the_program_from_its_first_moment(self):
        subprocess.run([os.environ["TRILANE_PROGRAM"], "run", "--preset", "search", "--variant",
                        "streams,graph", "--time", "10ms", "--json", "input.json"],
                       cwd=self.folder, check=True, capture_output=True)
        for number, moment in pairs(AT_THE_START, IN_THE_IMPORT, WHILE_WRITING):
            with self.subTest(signal=number.name, moment=moment):
                self.assert_stopped(self.stopped(
                    number, moment, os.environ["TRILANE_PROGRAM"], "report", "input.json",
                    waits=moment != AT_THE_START), "report")

    def test_what_was_ignored_stays_ignored(self):
        self.write(synthetic.results(["launch"], ["streams"]))
        done = self.stopped(signal.SIGHUP, IN_THE_IMPORT, "nohup", sys.executable,
                            PLOTS / "times.py", "input.json", "out", waits=False)
        self.assertEqual((done.returncode, self.files()), (0, {"times.png", "times.svg"}),
                         done.stderr)

    def test_a_signal_after_all_is_written_changes_nothing(self):
        self.write(synthetic.results(["launch"], ["streams"]))
        done = self.stopped(signal.SIGTERM, AT_THE_END, sys.executable, PLOTS / "times.py",
                            "input.json", "out", waits=False)
        self.assert_silent(done)
        self.assertEqual(self.files(), {"times.png", "times.svg"})
