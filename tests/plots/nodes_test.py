"""Tests of the picture of launches on made-up profiles. Run by ctest; needs matplotlib."""
from matplotlib import image
from plot_test_case import FigureTestCase, ScriptTestCase

import synthetic

import nodes


def made_up():
    calls = {f"launch of {count} {kind} nodes": factor * count + 1
             for kind, factor in (("kernel", 0.01), ("copy in", 1.5), ("memset", 0.6),
                                  ("copy out", 1.2)) for count in (64, 1, 1024)}
    return synthetic.completed({
        "schema": "trilane-profile", "schema_version": 1, "name": "Example 100",
        "calibrated": "2026-01-02T03:04:05Z",
        "calls_us": {"cudaGraphLaunch": 3.0, "launch of 4 child nodes": 9, **calls}}, "profile")


class Launches(FigureTestCase):
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


class Script(ScriptTestCase):
    def test_draws(self):
        self.assert_silent(self.draw("nodes", made_up()))
        self.assertEqual(self.files(), {"nodes.png", "nodes.svg"})
        self.assertGreater(min(image.imread(self.folder / "out/nodes.png").shape[:2]), 500)

    def test_refuses_in_one_line_what_it_cannot_draw(self):
        none = {**made_up(), "calls_us": {"launch of 4 kernel nodes": 0}}
        older = {**made_up(), "calls_us": {"cudaGraphLaunch": 3}}
        text = {**made_up(), "calls_us": {"launch of 4 kernel nodes": "x"}}
        for content, words in ((None, "cannot be read"), ("{", "is not JSON"),
                               ({**made_up(), "schema_version": 9}, "schema version 9"),
                               ("[]", "not a trilane profile"),
                               ({"schema": "trilane-results"}, "not a trilane profile"),
                               (older, "older version")):
            self.assert_fails(self.draw("nodes", content), 2, words)
        for content, words in (({**made_up(), "calls_us": 5}, ".calls_us should be an obj"),
                               (none, "nodes should be a number from 1e-06 and is 0"),
                               (text, "nodes should be a number"),
                               ({**made_up(), "name": 7}, ".name should be a text")):
            self.assert_fails(self.draw("nodes", content), 2, words)

    def test_a_folder_that_cannot_be_made_ends_with_5(self):
        done = self.draw("nodes", made_up(), out="input.json/out")
        self.assert_fails(done, 5, "'input.json/out' cannot be written")
