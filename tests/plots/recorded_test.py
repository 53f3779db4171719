"""Tests of pictures and reports of recorded applications. Run by ctest; needs matplotlib and D3."""
import functools
import os
import re
import unittest

import browser
import synthetic
from plot_test_case import PLOTS, FigureTestCase, ScriptTestCase, replaced
from report_page import Tables, unpacked

import input_file
import iteration
import looks
import results
import schema
import timeline_picture
import trace_file
from input_file import InputError
from page import recorded

PROGRAM = os.environ["TRILANE_PROGRAM"]
FOLDER = PLOTS.parent / "tests/application/recordings"
RECORDINGS = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))
# Words that apply only to Trilane's own pipeline.
STRANGE = re.compile(r"chunk|\blanes?\b|preset|tier\b|variant|break-even|\bpass(es)?\b|--processes",
                     re.IGNORECASE)


@functools.cache
def diagnosed(name):
    return recorded.load(PROGRAM, str(FOLDER / f"{name}.json.gz"))


class Iteration(FigureTestCase):
    def test_every_recording_is_drawn_legibly(self):
        for name in RECORDINGS:
            with self.subTest(name):
                found = diagnosed(name).diagnosis
                texts = self.assert_legible(iteration.draw(found))
                self.assertIn("Where an iteration's time goes", texts)
                self.assertIn("The critical path", texts)

    def test_the_bars_of_a_panel_follow_each_other_to_the_end_of_the_iteration(self):
        found = diagnosed("legacy_stream").diagnosis
        axes = iteration.draw(found).axes[0]
        bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
        self.assertEqual(len(bars), 1 + len(found["device"]["causes"]))
        for (_, end), (start, _) in zip(bars, bars[1:]):
            self.assertAlmostEqual(end, start)
        self.assertAlmostEqual(bars[-1][1], found["period_us"], delta=0.01 * found["period_us"])

    def test_the_costliest_parts_are_shown_and_the_others_summed_up(self):
        part = {"kind": "kernel", "name": "kernel f<int>", "us": 2.0, "share": 0.1, "count": 1}
        rows = iteration._path([part] * 20)
        self.assertEqual([row.name for row in rows], ["f<int>"] * 8 + ["12 other parts"])
        self.assertAlmostEqual(rows[-1].us, 24)
        self.assertEqual(len(iteration._path([part] * 9)), 9)

    def test_without_times_on_the_device_the_host_is_drawn(self):
        found = {**diagnosed("steady").diagnosis}
        del found["device"]
        self.assertNotIn("The GPU, and why it is idle", self.assert_legible(iteration.draw(found)))

    def test_all_that_a_diagnosis_can_hold_has_a_look(self):
        found = schema.printed("diagnosis")["properties"]
        uses, parts = ({*found[name]["items"]["properties"][key]["enum"]}
                       for name, key in (("host", "use"), ("path", "kind")))
        self.assertLessEqual({*iteration._OF_USE}, uses)
        self.assertLessEqual({*iteration._OF_PART, *iteration._BEFORE}, parts)


class Diagnosis(ScriptTestCase):
    def test_a_wrong_file_is_refused(self):
        found = diagnosed("steady").diagnosis
        self.assert_refuses("iteration", [
            ("{}", "not a trilane diagnosis"),
            (replaced(found, ("host", 0, "use"), "sleeping"), ".host[0].use should be one of"),
            (replaced(found, ("path", 0, "us"), -1), ".path[0].us should be a number"),
            (replaced(found, ("schema_version",), 9), "schema version 9")])

    def test_it_is_reproducible(self):
        self.assert_reproducible("iteration", diagnosed("steady").diagnosis)


class Timeline(FigureTestCase):
    def test_rows_are_the_application_s_streams_and_nothing_is_cut_off(self):
        for name in RECORDINGS:
            with self.subTest(name):
                trace = diagnosed(name).trace
                found = trace.passes[0]
                self.assertTrue(found.recorded)
                self.assertEqual({one.lane for one in found.calls + found.operations}, {None})
                figure = timeline_picture.draw(trace, trace.passes, 8)
                end = max(o.end for o in found.operations)
                self.assertGreaterEqual(figure.axes[0].get_xlim()[1], end)
                texts = " ".join(self.assert_legible(figure))
                self.assertIn("stream 0", texts)
                self.assertNotRegex(texts, STRANGE)


class Replay(FigureTestCase, ScriptTestCase):
    """Results of an application's replay."""

    def test_its_words_are_about_an_application(self):
        found = synthetic.replay()
        workload = found["comparisons"][0]["workload"]
        self.assertEqual(results.shape(workload),
                         "13 calls: 4 kernels, 2 copies, 1 memset, 2 host waits; 2 streams")
        self.assertEqual(results.machine(found), "NVIDIA Example 100 · an application, replayed")

    def test_candidates_look_unlike_each_other(self):
        found = looks.choose(synthetic.CANDIDATES, looks.stated_models(synthetic.replay()))
        self.assertEqual(len({*found.values()}), len(synthetic.CANDIDATES))
        self.assertEqual(found["graph"], looks.LOOKS[looks.MODELS["graph"]])

    def test_no_picture_says_what_holds_only_of_a_pipeline(self):
        for name in ("speedup", "times", "clocks"):
            with self.subTest(name):
                self.assert_silent(self.draw(name, synthetic.replay()))
                words = " ".join(self.svg_texts(f"out/{name}.svg"))
                self.assertIn("./app --size 4096", words)
                self.assertNotRegex(words, STRANGE)

    def test_calls_without_a_count_are_refused(self):
        wrong = replaced(synthetic.replay(), ("comparisons", 0, "workload", "application"), {})
        self.assert_refuses("speedup", [(wrong, ".workload.application.calls should be a whole")])


class Page(ScriptTestCase):
    def report(self, name="legacy_stream", replay=None, **recording):
        """The words of the page, its tables, and its HTML."""
        files = [self.write(replay, "results.json")] if replay else []
        path = self.write(recording["content"], "app.recording") if recording \
            else FOLDER / f"{name}.json.gz"
        done = self.run_script("report", *files, "r.html", f"--recording={path}",
                               f"--program={PROGRAM}")
        self.assert_silent(done)
        page = (self.folder / "r.html").read_text(encoding="utf-8")
        shown = page[page.index("<main"):page.index("Licence of D3")]
        found = Tables(shown)
        return " ".join(" ".join(found.words).split()), found.tables, page

    def test_a_recording_alone_says_where_time_goes_and_what_a_graph_could_gain(self):
        words, tables, page = self.report()
        order = [words.index(part) for part in (
            "Faster?", "A graph could replace", "Not measured: trilane record --results",
            "Host code", "The application's own code takes", "GPU An iteration takes",
            "Where an iteration's time goes", "Findings", "cudaDeviceSynchronize (call 4)",
            "Races", "No races found.", "What varies", "Timeline", "Calls")]
        self.assertEqual(order, sorted(order))
        self.assertEqual(tables["Why the GPU is idle"][0][:2], ["why the GPU is idle", "share"])
        self.assertIn("The critical path", tables)
        self.assertEqual(tables["The calls of an iteration, times in µs"][1][:2],
                         ["call 0", "cudaMemcpyAsync"])
        self.assertNotIn("Replay", words)
        self.assertNotRegex(words, STRANGE)
        (data,) = unpacked(page)
        self.assertIn("stream 1", data["names"])

    def test_with_the_replay_the_measured_answer_comes_first(self):
        words, tables, _ = self.report(replay=synthetic.replay())
        order = [words.index(part) for part in (
            "Faster?", "Use graph: 3.2 times as fast as the same calls [3.19, 3.26]", "Graph?",
            "Host code", "GPU An iteration", "Intervals cover one process",
            "Where an iteration's time goes",
            "Findings", "Timeline", "Replay", "Pictures", "Context")]
        self.assertEqual(order, sorted(order))
        self.assertNotIn("Not measured", words)
        self.assertNotRegex(words, STRANGE)
        times = tables["Means of one iteration in µs; submit: the host's calls without its waits"]
        self.assertEqual([row[0] for row in times], ["candidate", *synthetic.CANDIDATES])
        self.assertTrue(times[-1][-1].endswith(" bound"), times[-1])

    def test_a_replay_alone_is_a_page_too(self):
        self.assert_silent(self.run_script(
            "report", self.write(synthetic.replay(), "results.json"), "r.html"))
        page = (self.folder / "r.html").read_text(encoding="utf-8")
        words = " ".join(Tables(page[page.index("<main"):page.index("Licence of D3")]).words)
        self.assertNotRegex(words, STRANGE)
        self.assertNotIn("source of calls", words)

    def test_every_recording_makes_a_page(self):
        for name in RECORDINGS:
            with self.subTest(name):
                self.report(name)

    def test_a_recording_without_calls_makes_a_page(self):
        content = input_file.read(FOLDER / "steady.json.gz", "")
        content.update(found="none", calls=[], iterations=0, recorded=0, iteration_us=[],
                       watched_us=[])
        words, _, _ = self.report(content=content)
        self.assertIn("The recording has no calls", words)

    def test_names_of_the_application_are_escaped(self):
        content = input_file.read(FOLDER / "steady.json.gz", "")
        content["application"] = r"./app '<b>' a\.b " + "x" * 80
        _, _, page = self.report(content=content)
        self.assertNotIn("<b>", page)
        self.assertIn("&lt;b&gt;", page)

    def test_what_cannot_be_used_is_refused(self):
        wrong, good = self.write("{}", "wrong"), self.write(synthetic.replay(), "results.json")
        for words, said in (
                (["r.html", f"--recording={wrong}"], "give a file that trilane record --save"),
                (["r.html"], "name the results and the report"),
                ([good, good, "r.html", f"--recording={wrong}"], "a recording has its own"),
                ([good, f"--recording={wrong}"], "cannot become the report")):
            with self.subTest(said):
                self.assert_fails(self.run_script("report", *words, f"--program={PROGRAM}"), 2,
                                  said)

    def test_a_program_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(InputError, "cannot be run"):
            recorded.load(str(self.folder / "none"), "app.recording")


@unittest.skipUnless(browser.PROGRAM, "there is no Chromium here; CHROMIUM may name one")
class InBrowser(ScriptTestCase):
    def test_the_timeline_has_a_row_for_each_stream_and_no_checkbox_to_see(self):
        self.assert_silent(self.run_script(
            "report", "r.html", f"--recording={FOLDER / 'legacy_stream.json.gz'}",
            f"--program={PROGRAM}"))
        page = browser.Browser()
        self.addCleanup(page.close)
        page.open(self.folder / "r.html", "document.documentElement?.dataset.ready === 'true'")
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        # For a heading, the host and three streams.
        page.wait("document.querySelector('canvas').height > 5 * 18")
        self.assertEqual(page.complaints, [])
        self.assertEqual([url for url in page.fetched if not url.startswith("data:")],
                         [(self.folder / "r.html").resolve().as_uri()])
        self.assertEqual(page.evaluate("document.querySelector('[type=checkbox]').offsetParent"),
                         None)
        page.evaluate("document.querySelector('canvas').focus()")
        for _ in range(2):
            page.press("ArrowDown", shift=True)
        said = page.evaluate("document.querySelector('.timeline .spoken').textContent")
        self.assertRegex(said, "stream 0")
        self.assertNotRegex(said, STRANGE)
