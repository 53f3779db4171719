"""Tests of whole pages of the report with their pictures, which take long to draw. Run by ctest;
needs what report_test.py needs."""
import re
import warnings
from unittest import mock

import synthetic
from matplotlib import pyplot
from report_page import Tables, made_up, page_of
from report_test import Elements, ReportTestCase

from page import drawing, library, markup, pictures


class Drawn(ReportTestCase):
    """Whole pages."""

    draws = True

    @classmethod
    def setUpClass(cls):
        cls.page, _ = page_of(*made_up())

    def test_nothing_is_referred_to_elsewhere_and_the_licence_is_in(self):
        library_code, licence = library.find()
        self.assertIn(markup.text(licence), self.page)
        own = self.page.replace(library_code, "")
        self.assertNotEqual(own, self.page)
        self.assertNotRegex(own, r"(?i)(src|href|action)\s*=\s*[\"']?\s*(https?:|//)")
        self.assertNotRegex(own, r"(?i)@import|url\((?!#)|fetch\(|XMLHttpRequest|import\("
                                 r"|WebSocket")
        self.assertIn("default-src 'none'", own)

    def test_no_text_of_the_file_becomes_markup(self):
        results, _ = made_up(["launch"], ["streams", "graph", "pool"])
        bad = "\"'></svg></style></script><img src=x onerror=alert(1)>"
        (comparison,) = results["comparisons"]
        comparison["workload"]["name"] = bad
        comparison["reference"] = "streams" + bad
        for m in comparison["measurements"]:
            m["variant"] += bad
            m["price"]["phases"][bad] = [1.0] * 7
        comparison["limit"]["calls_us"] = {bad: 1.0}
        comparison["regime"] = comparison["verdict"] = bad
        comparison["advice"].update(use="graph" + bad, over=bad, next=bad, limited_by=bad)
        synthetic.decide(comparison)
        comparison["winners"][0]["tied"] = [bad]
        results["answers"].append({"question": bad, "text": bad})
        results["doubts"] = [bad]
        results["context"].update(command_line=bad, notes=[bad], simulated=bad,
                                  environment={bad: bad})
        for m in comparison["measurements"]:
            m.pop("timeline", None)
        self.write(results, "it's.json")
        self.assert_silent(self.run_script("report", "it's.json", "r.html"))
        page = (self.folder / "r.html").read_text(encoding="utf-8")
        self.assertNotIn("<img", page)
        tags = [set(Elements(found).seen) for found in (page, self.page)]
        self.assertLessEqual(tags[0] - {("small", "class")}, tags[1])

    def test_simulated_is_said_everywhere(self):
        parsed = Tables(page_of(*made_up(
            variants=["streams", "graph", "pool"], simulated=synthetic.PROFILE))[0])
        self.assertIn("Simulated, not measured", parsed.words)
        self.assertEqual(parsed.words.count("simulated"), 2, "a heading per preset")
        for caption in parsed.tables:
            if caption not in ("What to use", "Everything that was recorded"):
                self.assertIn(", simulated", caption)
        self.assertNotIn("imulated", "".join(Tables(self.page).words))

    def test_pictures_are_in_the_page_s_colours_and_have_their_room_and_a_name(self):
        page = self.page
        found = re.findall(r'<figure class="picture"[^>]*><svg([^>]*)>(.*?)</svg>', page)
        self.assertEqual(len(found), 2 * 7)
        for attributes, inside in found:
            self.assertRegex(attributes, r'viewBox="0 0 \d')
            self.assertRegex(attributes, r'width="\d+"')
            self.assertRegex(attributes, r'role="img" aria-label="[^"]{20,}"')
            self.assertNotRegex(inside, r"#[0-9a-f]{6}\b|style=|fill=|stroke=")
        rules = re.findall(r"^\.p\d+\{.*\}$", page, re.MULTILINE)
        self.assertGreater(len(rules), 30)
        self.assertNotRegex("".join(rules), r"(fill|stroke):#")
        for used in set(re.findall(r"url\(#(\w+)\)|href=\"#([hpm]\w{9,})\"", page)):
            self.assertEqual(page.count(f'id="{"".join(used)}"'), 1)
        classes = set(re.findall(r'class="(p\d+)"', page))
        self.assertEqual(classes, {rule[1:rule.index("{")] for rule in rules})

    def test_pictures_are_drawn_one_by_one(self):
        results, _ = made_up(["search"], ["streams", "graph", "pool"])
        results["comparisons"][0]["name"] = "search"
        with mock.patch.dict(pyplot.rcParams, {"figure.max_open_warning": 1}), \
                warnings.catch_warnings():
            warnings.simplefilter("error")  # matplotlib's warning that figures stay open
            pictures.of_contenders(drawing.Sheet(), results["comparisons"] * 3)
