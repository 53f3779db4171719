"""Tests of the picture of launches on made-up profiles. Run by ctest; needs matplotlib."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).parent.parent / "plots"
sys.path.insert(0, str(SCRIPTS))

import nodes
from matplotlib import image, pyplot


def made_up():
    calls = {f"launch of {count} {kind} nodes": factor * count + 1
             for kind, factor in (("kernel", 0.01), ("copy in", 1.5), ("memset", 0.6),
                                  ("copy out", 1.2)) for count in (64, 1, 1024)}
    return {"schema": "trilane-profile", "name": "Example 100", "calibrated": "2026-01-02T03:04:05Z",
            "calls_us": {"cudaGraphLaunch": 3.0, "launch of 4 child nodes": 9, **calls}}


class Launches(unittest.TestCase):
    def test_are_sorted_by_kind_and_nodes(self):
        found = nodes.launches(made_up())
        self.assertEqual(list(found), ["copy in", "copy out", "memset", "kernel"])
        self.assertEqual(found["memset"], [(1, 1.6), (64, 39.4), (1024, 615.4)])

    def test_every_kind_is_a_line_with_its_last_value(self):
        figure = nodes.draw(made_up())
        axes, = figure.axes
        self.assertEqual(sorted(list(line.get_ydata()) for line in axes.lines),
                         sorted([us for _, us in points]
                                for points in nodes.launches(made_up()).values()))
        texts = [text.get_text() for text in axes.texts]
        self.assertEqual(texts, ["copy in · 1,537 µs", "copy out · 1,230 µs", "memset · 615 µs",
                                 "kernel · 11.2 µs"])
        self.assertIn("µs", axes.get_ylabel())
        self.assertIn("Example 100, 2026-01-02", axes.get_title(loc="left"))
        pyplot.close(figure)


class Script(unittest.TestCase):
    def run_on(self, content):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "profile.json"
            file.write_text(content, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPTS / "nodes.py", file, folder],
                                  capture_output=True, text=True, check=False)
            picture = Path(folder) / "nodes.png"
            size = image.imread(picture).shape if picture.exists() else None
            self.assertEqual(picture.exists(), (Path(folder) / "nodes.svg").exists())
        return done, size

    def test_draws(self):
        done, size = self.run_on(json.dumps(made_up()))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertGreater(min(size[:2]), 500)

    def test_refuses_in_one_line_what_it_cannot_draw(self):
        older = {**made_up(), "calls_us": {"cudaGraphLaunch": 3}}
        for content, words in (("{", "no profile"), ("[]", "no profile of trilane"),
                               (json.dumps({"schema": "trilane-results"}), "no profile of trilane"),
                               (json.dumps(older), "older version")):
            done, size = self.run_on(content)
            self.assertEqual((done.returncode, size), (2, None))
            self.assertIn(words, done.stderr)
            self.assertIn("trilane --calibrate", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
