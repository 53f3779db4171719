"""Tests of the picture of a history on made-up curves. Run by ctest; needs matplotlib."""
from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import history


def made_up(commits=100, variants=("streams", "graph", "pool"), workloads=("launch", "transfer")):
    """A history in which graph on the first workload changes half-way."""
    half = commits // 2
    curves = [{"name": f"{variant} on {workload}", "relative": [1.0] * half + [1.03] * half
               if (variant, workload) == ("graph", workloads[0]) else [1.0] * commits}
              for workload in workloads for variant in variants]
    curves.append({"name": "cudaLaunchKernel", "relative": [1.0, 0] + [1.01] * (commits - 2)})
    return {"schema": "trilane-history", "schema_version": 1, "verdict": "1 change",
            "false_alarms": 0.01, "differs_from": 0.01, "left_out": [],
            "commits": [f"commit{place}" for place in range(commits)], "curves": curves,
            "changes": [{"before": f"commit{half - 1}", "since": f"commit{half}",
                         "earliest": f"commit{half}", "latest": f"commit{half}", "figures": [
                {"name": f"graph on {workloads[0]}", "ratio": 1.03}]}]}


class Pictures(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        for case in (made_up(), made_up(4), made_up(1000, workloads=("launch",))):
            with self.subTest(commits=len(case["commits"])):
                self.assert_legible(history.draw(case))

    def test_a_change_is_marked_in_the_panel_of_its_figure(self):
        figure = history.draw(made_up())
        marked = {axes.get_title(loc="left"): [line.get_xdata()[0] for line in axes.lines
                                               if line.get_linestyle() == "--"]
                  for axes in figure.axes}
        self.assertEqual(marked, {"launch": [49.5], "transfer": [], "costs": []})

    def test_commits_without_a_time_are_left_out(self):
        line = history.draw(made_up(10)).axes[-1].lines[0]
        self.assertEqual(list(line.get_xdata()), [0, *range(2, 10)])


class Files(ScriptTestCase):
    def test_pictures_are_written(self):
        self.assert_silent(self.draw("history", made_up()))
        self.assertEqual(self.files(), {"history.png", "history.svg"})

    def test_same_history_same_svg(self):
        self.assert_reproducible("history", made_up(10))

    def test_wrong_files_end_with_2_and_one_line(self):
        self.assert_refuses("history", (
            (None, "cannot be read"), ("not JSON", "is not JSON"),
            (replaced(made_up(), ("curves", 0, "relative", 0), -1), "relative[0]"),
            (replaced(made_up(), ("curves", 0, "relative"), [1.0]), "curves of other lengths"),
            (replaced(made_up(), ("commits",), []), "curves of other lengths")))
