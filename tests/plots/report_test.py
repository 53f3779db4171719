"""Tests of the report on made-up results and a made-up trace. Run by ctest; needs matplotlib and
D3, no GPU, no browser: report_browser_test.py is about what a browser makes of it."""
import base64
import contextlib
import html
import io
import json
import os
import re
import shlex
import unittest
import zlib
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import synthetic
import synthetic_trace
from plot_test_case import ScriptTestCase, replaced
from report_page import Tables, made_up, unpacked

import looks
import report
import results as plots_results
import trace_file
from input_file import InputError
from matplotlib import pyplot
from page import changes, drawing, figures, markup, packing, prices

VARIANTS = ["serial", "streams", "engines", "threads", "graph", "graph_early", "graph_built",
            "graph_update", "graph_set", "graph_coalesced", "batch", "pool", "pool_trim", "malloc",
            "graph_pool", "streams_kernels", "graph_kernels", "graph_fused", "fused"]


def ratio_of(low, high=None):
    return {"estimate": (low + (high or low)) / 2, "low": low, "high": high or low,
            "covers": "processes"}


class Elements(HTMLParser):
    """Pairs of a tag and one of its attributes, in a page."""

    def __init__(self, page):
        super().__init__()
        self.seen = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.seen += [(tag, key) for key, _ in attrs] or [(tag, "")]


def blank(_, figure, title):
    """Stands for a drawing in a page."""
    pyplot.close(figure)
    return markup.tag("svg", viewBox="0 0 1 1", role="img", aria_label=title, width=1)


class ReportTestCase(ScriptTestCase):
    """Most pages have blank pictures: to write an SVG takes longer than all else of a page. Those
    with pictures are in report_drawn_test.py."""

    draws = False

    def setUp(self):
        super().setUp()
        if not self.draws:
            without = mock.patch.object(drawing.Sheet, "svg", blank)
            without.start()
            self.addCleanup(without.stop)

    def report(self, results, trace=None, out="r.html", **options):
        """The ended process."""
        return self.run_script("report", *self.files_of(results, trace), out, **options)

    def files_of(self, results, trace=None, name="results.json"):
        return [self.write(results, name)] + ([] if trace is None else
                                              [self.write(trace, "trace.json")])

    def made(self, *content, says=r"\A\Z"):
        """The page that report.main() makes of them, and what it says to that."""
        words = ["report.py", *map(str, self.files_of(*content)), str(self.folder / "r.html")]
        with (mock.patch("sys.argv", words), contextlib.redirect_stderr(io.StringIO()) as said,
              contextlib.redirect_stdout(said)):
            self.assertEqual(report.main(), 0)
        self.assertRegex(said.getvalue(), says)
        return (self.folder / "r.html").read_text(encoding="utf-8")


class Page(ReportTestCase):
    def test_figures_are_those_of_the_file(self):
        results, trace = made_up(["launch"])
        found = Tables(self.made(results, trace)).tables
        times = found["Means of one pass in µs; * its submit waits for the device"]
        self.assertEqual(times[0], ["variant", "submit", "device", "wall", "wall p99",
                                    "speed vs streams [95%]", "bound", "efficiency", "bound by"])
        rows = {row[0]: row[1:] for row in times}
        self.assertEqual(rows["graph"][2:], ["1,284", "12,346", "2.000 [1.818, 2.222]",
                                             "1,121", "87.3%", "copy out"])
        self.assertEqual(rows["pool"][4:], ["1.010 [1.000, 1.031] tie", "500", "25.0%", ""])
        self.assertEqual(rows["streams"][4:], ["reference", "", "", ""])
        table = found["Set-up and memory, times in µs"]
        self.assertEqual(table[0], ["variant", "set-up [quartiles]", "first pass: extra",
                                    "tear-down", "break-even [95%]", "device memory",
                                    "pool used, reserved"])
        price = {row[0]: row[1:] for row in table}
        self.assertEqual(price["graph"][3:], ["3.1 [2.9, 12]", "20 MiB", "graph 48 MiB"])
        self.assertEqual(price["streams"][2:], ["30.0", "reference", "28 MiB", ""])
        self.assertEqual([price[name][5] for name in ("pool", "engines", "fused")],
                         ["8 KiB, 32 MiB", "", ""])
        self.assertEqual([row for row in times if len(row) == 2],
                         [["same operations", ""], ["rewritten", ""]])
        self.assertEqual(found["What to use"][1],
                         ["launch", "graph", "2.000 [1.818, 2.222] × streams",
                          "3.1 [2.9, 12]", "3 MiB", "copy out", "fewer bytes"])
        matrix = found["Overlap: the share of the time of a row's operations during which one "
                       "of the column ran on another lane"]
        self.assertEqual(matrix[:2], [["", "copy in", "copy out", "memset", "kernel"],
                                      ["copy in", "–", "41%", "41%", "41%"]])
        waits = found["What operations waited for, µs in all (stream order: the one before them on "
                      "their stream)"]
        self.assertEqual(waits[:2], [["operation", "host", "engine", "stream order", "latency"],
                                     ["copy in", "5.00", "7.00", "3.00", "2.00"]])

    def test_what_older_files_lack_is_not_shown(self):
        results, trace = made_up(["launch"], ["streams", "graph", "pool"])
        words = " ".join(Tables(self.made(results, trace)).words)
        self.assertEqual(words.count("tracing adds +14% to it"), 3)
        comparison = results["comparisons"][0]
        for m in comparison["measurements"]:
            del m["timeline"]["untraced_us"]
            for waits in m["timeline"]["waits"]:
                del waits["dependency_us"]
            for key in ("bound_us", "bound_by", "efficiency"):
                m.pop(key, None)
        del comparison["limit"]
        page = Tables(self.made(results, trace))
        self.assertNotIn("tracing adds", " ".join(page.words))
        waits = page.tables["What operations waited for, µs in all"]
        self.assertEqual(waits[0], ["operation", "host", "engine", "latency"])
        times = page.tables["Means of one pass in µs; * its submit waits for the device"]
        self.assertEqual(times[0][-1], "speed vs streams [95%]")

    def test_sentences_of_the_program_have_the_page_s_figures(self):
        results, trace = made_up(["launch"])
        results["context"]["simulated"] = "NVIDIA RTX 6000 (profile of 2026-11-21)"
        results["comparisons"][0].update(
            verdict="launch, simulated NVIDIA RTX 6000 (profile of 2026-11-21): host submission "
            "drops from 12345 to 3.37 us; of its 1131.5 us 1131 go by, and 16 KiB of 2000.",
            regime="PCIe: holds, a copy takes 1630 us")
        words = Tables(self.made(results, trace)).words
        self.assertIn("launch, simulated NVIDIA RTX 6000 (profile of 2026-11-21): host submission "
                      "drops from 12,345 to 3.37 µs; of its 1131.5 µs 1,131 go by, and 16 KiB of "
                      "2,000.", words)
        self.assertIn("Regime: PCIe: holds, a copy takes 1,630 µs.", words)

    def test_words_of_the_file(self):
        results, trace = made_up(["launch"])
        results["context"]["gpu"]["name"] = "<b>GPU & co</b>"
        results["comparisons"][0]["verdict"] = "launch: </script><script>alert(1)</script>"
        synthetic.fail(results["comparisons"][0]["measurements"][5], "failed", "0x12 <> 0x34")
        synthetic.decide(results["comparisons"][0])
        page = self.made(results, trace)
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<b>GPU", page)
        parsed = Tables(page)
        for words in ("launch: </script><script>alert(1)</script>", "54.4 GB/s", "154 µs",
                      "graph work", "7.25 µs", "chunks 12, bound 430 µs", "host: cudaMemcpyAsync",
                      "1.25 µs", "start 1.50 µs, per MiB 19.1 µs", "bound by", "copy out",
                      "a pass, all stages in turn", "a pass, chunk by chunk, overlapping",
                      "trilane --trace t.json --json '<r>.json'"):
            self.assertIn(words, parsed.words)
        self.assertIn("two marker memsets", "".join(parsed.words))
        rows = parsed.tables["Means of one pass in µs; * its submit waits for the device"]
        self.assertEqual(rows[-1][5], "failed: 0x12 <> 0x34")

    def test_namesakes_have_their_own_timelines_and_differ_by_their_shapes(self):
        results, _ = made_up(["launch", "search", "launch"], ["streams", "graph", "pool"])
        results["comparisons"][2]["workload"]["chunks"] = 8
        trace = synthetic_trace.trace(results)
        page = self.made(results, trace)
        names = ["launch, 64 chunks × 4 KiB, 4 lanes, depth 4", "search",
                 "launch, 8 chunks × 4 KiB, 4 lanes, depth 4"]
        self.assertEqual(re.findall(r"<h2>([^<]*)</h2>", page)[:3], names)
        links = re.findall(r'<a href="#([^"]*)">([^<]*)</a>', page)[:3]
        self.assertEqual([name for _, name in links], names)
        for anchor, _ in links:
            self.assertEqual(page.count(f'id="{anchor}"'), 1)
        self.assertEqual([row[0] for row in Tables(page).tables["What to use"][1:]], names)
        chunks = [{p["variant"]: max(p["operations"]["chunk"]) + 1 for p in packed["passes"]}
                  for packed in unpacked(page)]
        self.assertEqual(chunks, [dict.fromkeys(("streams", "graph", "pool"), count)
                                  for count in (64, 2, 8)])

    def test_tables_are_named_and_their_heads_say_what_they_head(self):
        page = self.made(*made_up(["search"], ["streams", "graph", "pool"]))
        for head in re.findall(r"<th\b[^>]*>", page):
            self.assertRegex(head, 'scope="(row|col|rowgroup)"')
        figures = re.findall(r'<figure class="scroll"[^>]*><figcaption>[^<]*', page)
        self.assertEqual(len(figures), len(re.findall("<table", page)))
        for figure in figures:
            name, caption = re.search('aria-label="([^"]*)"><figcaption>(.*)', figure).groups()
            self.assertEqual(name, caption)
            self.assertIn('role="region"', figure)

    def test_colours_can_be_told_from_the_dark_ground(self):
        for look in looks.LOOKS.values():
            self.assertGreater(drawing.contrast(drawing.on_dark(look.colour), drawing.GROUND), 3)
        dark = {drawing.on_dark(look.colour) for look in looks.LOOKS.values()}
        self.assertEqual(len(dark), len(looks.LOOKS))
        for light, wanted in (("#000000", drawing.INK), ("#ffffff", drawing.GROUND)):
            self.assertEqual(drawing.on_dark(light), wanted)
        self.assertAlmostEqual(drawing.contrast("#000000", "#ffffff"), 21)

    def test_the_first_page_has_the_program_s_answers_and_a_row_of_tiers_for_each_preset(self):
        results, trace = made_up(["launch", "transfer"])
        first, second = results["comparisons"]
        results["answers"][0]["text"] = "Faster on <launch> by 12345 us."
        results["doubts"].append("The clock moved.")
        first["winners"][0].update(variant="graph", ratio=ratio_of(0.5), tied=["pool", "<b>"])
        first["winners"][1].update(variant="fused", ratio=ratio_of(0.9, 1.1))
        second["winners"] = [{"tier": "same operations", "variant": "streams", "tied": []}]
        page = self.made(results, trace)
        parsed = Tables(page)
        words = parsed.words
        self.assertEqual([words[words.index(question) + 1] for question in
                          ("Graph?", "Pool?", "Engines?")],
                         ["Faster on <launch> by 12,345 µs.", "A pool costs nothing, made up.",
                          "Slower on search (0.51x), made up."])
        self.assertLess(words.index("Engines?"), words.index("The clock moved."))
        table = next(rows for caption, rows in parsed.tables.items()
                     if caption.startswith("Speed over streams"))
        medians = [figures.time(c["measurements"][1]["wall"]["mean"])
                   for c in (first, second)]
        self.assertEqual(table, [
            ["preset", "streams, µs", "graph", "pool", "same operations", "moved together",
             "rewritten", "bound, µs"],
            ["launch", medians[0], "2.000 ×", "1.010 × tie", "graph 2.000 ×ties: pool, <b>", "",
             "fused 1.000 × tie", "500 copy out"],
            ["transfer", medians[1], "2.000 ×", "1.010 × tie", "streams", "", "",
             "500 copy out"]])
        self.assertIn("<b>graph</b> 2.000", page)
        self.assertNotIn("<b>streams", page)
        self.assertIn('data-value="2">2.000 ×', page)

    def test_an_older_file_has_its_verdicts_and_what_they_advise_there(self):
        results, trace = made_up(["launch"], ["streams", "graph", "pool"])
        del results["answers"], results["doubts"], results["comparisons"][0]["winners"]
        results["schema_version"] = 4
        parsed = Tables(self.made(results, trace))
        self.assertIn("use any of them, made up.", parsed.words)
        rows = next(rows for caption, rows in parsed.tables.items()
                    if caption.startswith("Speed over streams"))
        self.assertEqual([row[4:] for row in rows], [["advised", "bound, µs"],
                                                     ["graph 2.000 ×", "500 copy out"]])

    def test_commands_can_be_given_to_a_shell(self):
        results, _ = made_up(["launch", "search", "custom"], ["streams", "graph", "pool"])
        results["comparisons"][1]["workload"]["modified"] = True
        for simulated, program in (("", "trilane"), (synthetic.PROFILE, "trilane-sim")):
            results["context"]["simulated"] = simulated
            page = self.made(results, None, "it's <mine>.json")
            commands = [html.unescape(words) for words in
                        re.findall(r'<span class="command"><code>([^<]*)', page)]
            self.assertEqual([shlex.split(words) for words in commands], [
                ["trilane", "--trace", "t.json", "--json", "<r>.json"],
                [program, "run", "--preset", "launch"],
                *([program, "show", str(self.folder / "it's <mine>.json"), preset, "--all"]
                  for preset in ("launch", "search", "custom"))])

    def test_without_a_trace_there_are_no_timelines(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        for measurement in results["comparisons"][0]["measurements"]:
            del measurement["timeline"]
        page = self.made(results)
        self.assertNotIn('class="timeline"', page)
        self.assertNotIn("Overlap", page)
        empty = synthetic_trace.trace({**results, "comparisons": []})
        self.assertEqual(page, self.made(
            results, empty,
            says=r"\Areport.py: the trace holds no pass, so the report has no timelines\n\Z"))

    def test_what_does_not_fit_is_left_out_and_said_so(self):
        results, trace = made_up(["transfer"])
        loaded = trace_file.load(self.write(trace))
        whole = report.page(results, loaded, "d3", "its licence", "r.json")
        size = len(whole.encode())
        with mock.patch("report.MOST_BYTES", size - 500):
            smaller = report.page(results, loaded, "d3", "its licence", "r.json")
        self.assertLess(len(smaller.encode()), size - 500)
        (data,) = unpacked(smaller)
        for found in data["passes"]:
            shown = len(found["operations"]["start"])
            self.assertLessEqual(max(found["operations"]["call"]), len(found["calls"]["start"]))
            operations = {p.variant: p.operations for p in loaded.passes}[found["variant"]]
            self.assertEqual(shown + found["left_out"], len(operations))
        self.assertTrue(any(found["left_out"] for found in data["passes"]))

    def test_what_stays_too_large_is_made_and_said(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        with mock.patch("report.MOST_BYTES", 1000):
            self.made(results, says=r"^report\.py: the report takes 0\.\d+ MB and should take less "
                                    r"than 0\.001: [^\n]*\n$")


class Code(ReportTestCase):
    """The variants' sources beside the scripts, or where they are installed."""

    def setUp(self):
        super().setUp()
        self.sources = self.folder / "variants"
        self.sources.mkdir()
        (self.sources / "streams.cpp").write_text("int a;\nint b;\nif (a < b) x();\n")
        (self.sources / "graph.cpp").write_text("int a;\nint c;\nif (a < b) x();\ny<int>();\n")

    def code(self, *advised, folders=None):
        comparisons = [{"name": f"preset {place}", "reference": "streams",
                        "advice": {"use": variant}} for place, variant in enumerate(advised)]
        return changes.changes(comparisons, folders or [self.folder / "none", self.sources])

    def test_the_difference_is_shown_once_for_a_pair(self):
        shown = self.code("graph", "streams", "graph")
        self.assertEqual(re.findall(r'<span class="(\w+)">([^<]*)</span>', shown),
                         [("skipped", "@@ -1,3 +1,4 @@"), ("removed", "-int b;"),
                          ("added", "+int c;"), ("added", "+y&lt;int&gt;();")])
        self.assertIn("<span> if (a &lt; b) x();</span>", shown)
        self.assertEqual(re.findall("<summary>([^<]+)<", shown),
                         ["streams → graph (preset 0, preset 2): 2 lines added, 1 removed"])
        self.assertEqual(self.code("streams"), "")

    def test_winners_of_tiers_are_compared_too(self):
        comparison = {"name": "launch", "reference": "streams", "winners": [
            {"tier": "same operations", "variant": "graph"},
            {"tier": "rewritten", "variant": "fused"}]}
        shown = changes.changes([comparison], [self.sources])
        self.assertIn("streams → graph (launch)", shown)
        self.assertIn("The source of fused is not here.", shown)

    def test_policies_share_a_source_and_names_lead_nowhere_else(self):
        self.assertIn("The code is the same", self.code("streams:default"))
        (self.folder / "secret.cpp").write_text("a secret")
        for name in ("../secret", "/etc/passwd", "<script>", "a b"):
            shown = self.code(name)
            self.assertIn(f"The source of {markup.text(name)} is not here.", shown)
            self.assertNotIn("a secret", shown)
            self.assertNotIn("<script>", shown)

    def test_without_sources_a_line_says_so(self):
        shown = self.code("graph", folders=[self.folder / "none"])
        self.assertIn("sources are not installed", shown)
        self.assertNotIn("<pre", shown)

    def test_the_checkout_and_the_installed_tree_are_searched(self):
        self.assertEqual(changes.FOLDERS[0], Path(report.__file__).resolve().parent.parent
                         / "variants")
        self.assertEqual(changes.FOLDERS[1].parts[-3:], ("share", "trilane", "variants"))
        for variant in VARIANTS:
            self.assertIsNotNone(changes.source(variant, changes.FOLDERS), variant)


class Packing(ReportTestCase):
    def test_columns_are_the_passes_in_nanoseconds(self):
        _, trace = made_up(["search"], ["streams", "graph", "pool"])
        passes = trace_file.load(self.write(trace)).passes
        data = json.loads(zlib.decompress(base64.b64decode(packing.pack(passes, 10**6))))
        for packed, found in zip(data["passes"], passes):
            self.assertEqual([data["names"][row] for row in packed["rows"]], found.rows)
            for key, items in (("calls", found.calls), ("operations", found.operations)):
                columns, start = packed[key], 0
                for index, item in enumerate(items):
                    start += columns["start"][index]
                    self.assertEqual(start, round(1000 * item.start))
                    self.assertEqual(columns["duration"][index], round(1000 * item.duration))
                    self.assertEqual(data["names"][columns["name"][index]], item.name)
                    self.assertEqual(columns["chunk"][index],
                                     -1 if item.chunk is None else item.chunk)


class Figures(unittest.TestCase):
    def test_words(self):
        self.assertEqual([figures.time(us) for us in (0, 1e-4, 0.15, 3.456, 60.6, 1284.4, -2)],
                         ["0", "<0.001", "0.150", "3.46", "60.6", "1,284", "−2.00"])
        self.assertEqual([figures.percent(share) for share in (0, 0.0412, 0.0996, 0.41, 1)],
                         ["0%", "4.1%", "10%", "41%", "100%"])
        self.assertEqual(figures.labelled("a_new_one_bytes", 3 << 20), ("a new one", "3 MiB"))
        self.assertEqual(figures.quartiles([1, 2, 3, 4, 5]), "3.00 [2.00, 4.00]")
        self.assertEqual(prices.first({"passes_us": [[30, 31, 29], [20, 20, 20]]}), "+10.0")
        self.assertEqual(prices.first({"passes_us": [[28, 18, 10], [20, 20, 20]]}), "0")
        self.assertEqual(prices.first({"passes_us": [[10, 11, 9], [20, 20, 20]]}), "−10.0")
        self.assertEqual(prices.first({"passes_us": [[19.94, 19.95, 19.96], [20, 20, 20]]}), "0")
        self.assertEqual(prices.first({"passes_us": [[25], [20]]}), "+5.00")


class Refusals(ReportTestCase):
    def assert_refused(self, done, code, *words):
        self.assert_fails(done, code, *words)
        self.assertFalse((self.folder / "r.html").exists())

    def test_files_that_are_none(self):
        results, trace = made_up(["search"], ["streams", "graph", "pool"])
        self.assert_refused(self.report("{"), 2, "is not JSON", "trilane --json")
        self.assert_refused(self.report(results, {"traceEvents": []}), 2, "trilane --trace")
        self.assert_refused(self.report(results, trace, out="none/r.html"), 5, "none/r.html")
        for place in (("timeline", "busy", 0, "us"), ("timeline", "waits", 2, "dependency_us"),
                      ("timeline", "untraced_us"), ("price", "graph_reserved_bytes"),
                      ("bound_us",)):
            wrong = replaced(results, ("comparisons", 0, "measurements", 1, *place), "long")
            words = re.sub(r"\.(\d+)", r"[\1]", ".".join(map(str, place)))
            self.assert_refused(self.report(wrong, trace), 2, f"measurements[1].{words} ", '"long"')

    def test_a_full_disk(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        done = self.report(results, blocks=100)
        self.assert_refused(done, 5, "'r.html'", "make room or name another file")
        self.assertEqual(self.files("."), {"results.json"})

    def test_an_input_never_becomes_the_report(self):
        results, trace = made_up(["search"], ["streams", "graph", "pool"])
        for out in ("trace.json", "results.json", "report", "r.htm"):
            self.assert_refused(self.report(results, trace, out=out), 2, f"{out}'", ".html")
        self.assertEqual(json.loads((self.folder / "trace.json").read_text()), trace)
        page = self.write(results, "page.html")
        (self.folder / "link.html").symlink_to(page)
        done = self.run_script("report", page, "link.html")
        self.assert_refused(done, 2, "link.html'", "another")
        self.assertEqual(json.loads(page.read_text()), results)

    def test_a_trace_of_another_run(self):
        results, trace = made_up(["search"], ["streams", "graph", "pool"])
        for place, preset in ((1, "search"), (0, "launch")):
            trace["otherData"]["passes"][0].update(comparison=place, workload=preset)
            self.assert_refused(self.report(results, trace), 2, f"comparison {place}", preset,
                               "the same run")

    def test_a_library_that_is_none(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        source = self.folder / "d3" / "dist" / "d3.min.js"
        # Processes of run_script() get this environment, too.
        self.enterContext(mock.patch.dict(os.environ, TRILANE_D3=str(source)))
        self.assert_refused(self.report(results), 4, "d3.min.js", "node-d3", "TRILANE_D3")
        source.parent.mkdir(parents=True)
        source.write_text("// https://d3js.org v4.1.0 Copyright\n")
        self.assert_refused(self.report(results), 4, "is no d3.min.js of version 5 to 7")
        source.write_text("// https://d3js.org v7.1.0 Copyright\n")
        self.assert_refused(self.report(results), 4, "licence")
        (source.parent.parent / "LICENSE").write_text("Do <what> you like.")
        self.assertIn("Do &lt;what&gt; you like.", self.made(results))

    def test_results_are_checked_before_they_are_read(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        results["comparisons"][0]["limit"]["bound_us"] = None
        with self.assertRaisesRegex(InputError, r"limit\.bound_us.*is missing"):
            plots_results.load(self.write(results))
