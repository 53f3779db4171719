"""Fixtures and assertions for tests of the plot scripts, whose modules can be imported after it."""
import contextlib
import copy
import io
import json
import os
import resource
import runpy
import subprocess
import sys
import tempfile
import traceback
import unittest
import warnings
import xml.etree.ElementTree
from pathlib import Path
from unittest import mock

PLOTS = Path(__file__).resolve().parent.parent.parent / "plots"
sys.path.insert(0, str(PLOTS))

import clocks
import footprint
import setup
import speedup
import times
import numpy
from matplotlib import pyplot, text

# The scripts that draw a row for each variant, and all that draw results.
ROWS = {"times": times, "clocks": clocks, "speedup": speedup, "setup": setup}
SCRIPTS = {**ROWS, "footprint": footprint}


def replaced(document, place, value):
    """A copy of a JSON document that has `value` at that place, a sequence of keys."""
    document = holder = copy.deepcopy(document)
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return document


class FigureTestCase(unittest.TestCase):
    """A test of figures, which are closed after it."""

    def tearDown(self):
        pyplot.close("all")

    def assert_legible(self, figure):
        """No text overlaps another or leaves the figure, which is drawn and closed; gives the
        texts."""
        figure.draw_without_rendering()
        boxes = [(found.get_text(), found.get_window_extent()) for found in _visible_texts(figure)]
        inside = figure.bbox
        wrong = [f"{words!r} is cut off" for words, box in boxes
                 if not (inside.x0 <= box.x0 and box.x1 <= inside.x1
                         and inside.y0 <= box.y0 and box.y1 <= inside.y1)]
        x0, y0, x1, y1 = numpy.array([box.extents for _, box in boxes]).reshape(-1, 4).T
        meet = ((x0[:, None] <= x1) & (x0 <= x1[:, None])
                & (y0[:, None] <= y1) & (y0 <= y1[:, None]))
        wrong += [f"{boxes[one][0]!r} overlaps {boxes[other][0]!r}"
                  for one, other in numpy.argwhere(numpy.triu(meet, 1))]
        self.assertEqual(wrong, [])
        pyplot.close(figure)
        return [words for words, _ in boxes]


def _visible_texts(figure):
    """All texts of a drawn figure; of the ticks' labels only those within the axes' limits."""
    ticks = set()
    shown = []
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks.update(axis.findobj(text.Text))
            ticks.discard(axis.label)
            low, high = sorted(axis.get_view_interval())
            shown += [label for place, label in zip(axis.get_majorticklocs(),
                                                    axis.get_ticklabels()) if low <= place <= high]
    shown += [found for found in figure.findobj(text.Text) if found not in ticks]
    return [found for found in shown if found.get_visible() and found.get_text().strip()]


class ScriptTestCase(unittest.TestCase):
    """A test of scripts, with a temporary folder in which they run."""

    def setUp(self):
        super().setUp()
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, content, name="input.json"):
        """The path of a file with that content: text, a JSON document, or None for no file."""
        path = self.folder / name
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content),
                            encoding="utf-8")
        return path

    def run_script(self, script, *arguments, blocks=None, **environment):
        """The ended script, a path or the name of one in plots/. It gets a process of its own only
        with an environment, or if no file that it writes may have more `blocks`, each of 1 KiB: to
        import matplotlib anew, or to copy this process, takes longer than most scripts."""
        path = PLOTS / f"{script}.py" if isinstance(script, str) else script
        words = [path, *arguments]
        if environment or blocks:
            limit = blocks and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                           (1024 * blocks,) * 2))
            return subprocess.run([sys.executable, *words], cwd=self.folder, text=True, check=False,
                                  env={**os.environ, **environment}, capture_output=True,
                                  preexec_fn=limit)
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
        with (contextlib.chdir(self.folder), contextlib.redirect_stdout(streams[0]),
              contextlib.redirect_stderr(streams[1]), warnings.catch_warnings(),
              mock.patch.object(sys, "argv", [*map(str, words)])):
            code = self._run(path)
        said = [stream.flush() or stream.buffer.getvalue().decode() for stream in streams]
        return subprocess.CompletedProcess([sys.executable, *words], code, *said)

    def _run(self, path):
        """Returns the exit code that Python would end the script with."""
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1
        finally:
            pyplot.close("all")
        return 0

    def draw(self, name, content, *options, out="out", blocks=None):
        """The ended process of a script that draws a file with that content into a folder."""
        return self.run_script(name, self.write(content).name, out, *options, blocks=blocks)

    def files(self, folder="out"):
        return {path.name for path in (self.folder / folder).iterdir()}

    def svg_texts(self, path):
        """The texts of a drawing in the temporary folder."""
        drawing = xml.etree.ElementTree.parse(self.folder / path)
        return ["".join(node.itertext()).strip() for node in drawing.iter()
                if node.tag.endswith("}text")]

    def assert_silent(self, done):
        """It ended well and had nothing to say."""
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def assert_fails(self, done, code, *words):
        """It ended with that code, wrote nothing but one line, and that holds the words."""
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr, rf"\A{done.args[1].name}: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def assert_refuses(self, name, wrong_files):
        """The script ends with 2 on each content, for which it has those words."""
        for content, words in wrong_files:
            with self.subTest(script=name, words=words):
                self.assert_fails(self.draw(name, content), 2, words)

    def assert_reproducible(self, name, content):
        """The same content gives the same SVG."""
        for folder in ("a", "b"):
            self.assert_silent(self.draw(name, content, out=folder))
        self.assertEqual(*((self.folder / folder / f"{name}.svg").read_bytes()
                           for folder in ("a", "b")))
