"""Tests of the picture and the page of a fleet on made-up judgements. Run by ctest; needs
matplotlib."""
import gzip
import json
import random

from plot_test_case import FigureTestCase, ScriptTestCase, replaced

import fleet
import history_test

ODD = "node1 GPU 1"


def made_up(machines=8, variants=("streams", "graph", "pool"), workloads=("launch", "transfer"),
            odd=(1,)):
    """A fleet of four GPUs a node; copies in take 5% longer on odd ones, and graph on transfer."""
    draw = random.Random(machines)
    names = [f"node{place // 4 + 1} GPU {place % 4}" for place in range(machines)]
    differ = ("copy in", f"graph on {workloads[-1]}")

    def relative(figure):
        return {name: draw.gauss(1, 0.002) * (1.05 if place in odd and figure in differ else 1)
                for place, name in enumerate(names)}
    figures = ["copy in", "cudaLaunchKernel"] + [f"{variant} on {workload}" for variant in variants
                                                 for workload in workloads]
    ratio = {"estimate": 0.5, "low": 0.45, "high": 0.55, "least": 0.4, "most": 0.6}
    return {"schema": "trilane-fleet", "schema_version": 1, "false_alarms": 0.01,
            "differs_from": 0.01,
            "verdict": f"{machines} GPUs: {len(odd)} differs from the others. " + "And so on. " * 9,
            "machines": [{"name": name, "files": ["f.json"], "node": "n", "gpu": "NVIDIA H200",
                          "uuid": f"GPU-{place}", "pci_bus_id": "", "driver": "580",
                          "sm_clock_mhz": "1980"} for place, name in enumerate(names)],
            "left_out": [{"file": "rank-3", "why": "was <killed>"}],
            "odd": [{"machine": names[place], "figures": [{"name": figure, "ratio": 1.05}
                                                          for figure in differ]}
                    for place in odd],
            "settings": [{"name": "driver", "value": "570", "usual": "580", "machines": names[:1]}],
            "workloads": [{"workload": workload, "reference": "streams", "verdict": "graph is.",
                           "variants": [{"variant": variant, "tier": "same operations",
                                         "machines": machines, "us": 9, "faster": 1, "slower": 0,
                                         **({"ratio": ratio} if variant == "graph" else {})}
                                        for variant in variants]} for workload in workloads],
            "figures": [{"name": figure, "spread": 0.002, "relative": relative(figure)}
                        for figure in figures]}


class Pictures(FigureTestCase):
    def test_no_text_overlaps_another_or_leaves_the_figure(self):
        many = [f"variant{place}" for place in range(19)] + ["graph"]
        for case in (made_up(2, odd=()), made_up(), made_up(16, variants=many),
                     made_up(1000, odd=range(0, 1000, 40)), made_up(17, variants=many)):
            with self.subTest(gpus=len(case["machines"])):
                self.assert_legible(fleet.draw(case))

    def test_a_few_gpus_stand_side_by_side_with_the_odd_one_marked(self):
        marked = {}
        for axes in fleet.draw(made_up()).axes:
            labels = axes.get_xticklabels()
            self.assertEqual(len(labels), 8)
            marked[axes.get_title(loc="left")] = [
                [label.get_text() for label in labels if label.get_weight() == "bold"],
                [list(line.get_xdata()) for line in axes.lines if line.get_markersize() > 8]]
        self.assertEqual(marked, {"launch": [[], []], "transfer": [[ODD], [[1]]],
                                  "costs": [[ODD], [[1]]]})

    def test_of_many_gpus_only_odd_ones_are_named(self):
        texts = self.assert_legible(fleet.draw(made_up(1000)))
        self.assertEqual([text for text in texts if text.startswith("node")], [ODD] * 2)

    def test_too_many_odd_gpus_are_counted(self):
        texts = self.assert_legible(fleet.draw(made_up(1000, odd=range(100))))
        self.assertIn("and 97 more", texts)

    def test_a_gpu_without_a_time_is_left_out(self):
        for gpus in (8, 40):
            case = made_up(gpus)
            del case["figures"][-1]["relative"]["node1 GPU 0"]
            line = fleet.draw(case).axes[1].lines[-1]
            self.assertEqual(len(line.get_xdata()), gpus - 1)


class Files(ScriptTestCase):
    def test_pictures_are_written(self):
        self.assert_silent(self.draw("fleet", made_up()))
        self.assertEqual(self.files(), {"fleet.png", "fleet.svg"})

    def test_same_fleet_same_svg(self):
        self.assert_reproducible("fleet", made_up(20))

    def test_the_runs_after_the_judgement_are_not_read(self):
        text = json.dumps(made_up(), indent=2).removesuffix("\n}") + ',\n  "runs": [\n{cut off'
        self.assert_silent(self.draw("fleet", text))
        path = self.folder / "packed.json.gz"
        path.write_bytes(gzip.compress(text.encode()))
        self.assert_silent(self.run_script("fleet", path, "packed"))

    def test_wrong_files_end_with_2_and_one_line(self):
        fleet_with = made_up(4)
        self.assert_refuses("fleet", (
            (None, "cannot be read"), ("not JSON", "is not JSON"),
            (replaced(fleet_with, ("figures", 0, "relative", ODD), -1), "relative"),
            (replaced(fleet_with, ("figures", 0, "relative", ODD), 0), "not above 0"),
            (replaced(fleet_with, ("figures", 0, "relative", "other"), 1), "copy in"),
            (replaced(fleet_with, ("odd", 0, "machine"), "other"), "not list"),
            (replaced(fleet_with, ("machines",), []), "not list")))


class Pages(ScriptTestCase):
    def page(self, content):
        done = self.run_script("report", "--merged", self.write(content).name, "page.html")
        self.assert_silent(done)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_the_page_of_a_fleet_says_what_differs(self):
        for gpus in (8, 1000):
            page = self.page(made_up(gpus))
            for words in (f"<h1>Trilane</h1>\n<p>{gpus} GPUs</p>", f">{ODD}<",
                          "copy in +5.0%, graph on transfer +5.0%", "GPU-1", "rank-3",
                          "was &lt;killed&gt;", "2 [1.818, 2.222]", "1.667", "2.5", "570",
                          f'aria-label="{gpus} GPUs"', "Content-Security-Policy"):
                self.assertIn(words, page)

    def test_the_page_of_a_history_says_what_changed(self):
        page = self.page(history_test.made_up(20))
        for words in ("20 commits", "commit9<", "graph on launch +3.0%", "<svg"):
            self.assertIn(words, page)

    def test_what_cannot_become_a_page_is_refused(self):
        self.write(made_up(), "m.html")
        self.write(made_up())
        for words, said in ((("--merged", "m.html", "m.html"), "cannot become the report"),
                            (("--merged", "input.json", "p.html", "--loop=l"), "stands alone"),
                            (("input.json", "p.html", "--merged", "input.json"), "stands alone"),
                            (("--merged", "none.json", "p.html"), "cannot be read")):
            self.assert_fails(self.run_script("report", *words), 2, said)
