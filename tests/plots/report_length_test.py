"""Tests of the length of a full report, in bytes, and in a browser on screens and on paper. Run by
ctest; needs what report_test.py needs, and Chromium for all but the bytes."""
import re
import unittest
from unittest import mock

import synthetic
from browser import PROGRAM
from report_page import READY, ShownTestCase, made_up, unpacked

import looks
import report
from page import pictures

needs_chromium = unittest.skipUnless(PROGRAM, "there is no Chromium here; CHROMIUM may name one")


class Length(ShownTestCase):
    """The length of a full job's report, six presets with 19 variants, with everything closed. The
    closed pictures of the first preset stand for those of all: they take long to draw."""

    @classmethod
    def setUpClass(cls):
        results, trace = made_up(synthetic.PRESETS, [*looks.MODELS])
        for comparison in results["comparisons"]:
            # As long as the longest one of a run on an H200.
            comparison["verdict"] = f"{comparison['workload']['name']}: " + "a long verdict " * 40
        results["context"]["environment"] = {f"CUDA_VARIABLE_{n}": "value" for n in range(12)}
        results["context"]["host"] = {f"fact_{n}": "a fact" for n in range(12)}
        results["context"]["gpu"].update({f"property_{n}": "a property" for n in range(20)})
        of_first, draw = [], pictures.of_comparison

        def of_comparison(*arguments):
            of_first.extend([] if of_first else draw(*arguments))
            return of_first
        with mock.patch.object(pictures, "of_comparison", of_comparison):
            cls.show(results, trace, 1440, 900)
        if PROGRAM:
            cls.browser.open(cls.file, READY)

    def setUp(self):
        if PROGRAM:
            self.browser.resize(1440, 900)
            self.browser.prefer()

    def test_it_stays_below_the_limit_with_every_operation(self):
        self.assertLess(len(self.page.encode()), report.MOST_BYTES)
        self.assertEqual([[found["left_out"] for found in timeline["passes"]]
                          for timeline in unpacked(self.page)], [[0] * len(looks.MODELS)] * 6)

    @needs_chromium
    def test_all_but_the_first_page_is_closed_and_that_fits_the_screen(self):
        first, whole, others = self.browser.evaluate("""[
          document.querySelector(".first").getBoundingClientRect().bottom,
          document.documentElement.scrollHeight,
          [...document.querySelectorAll(".more > *, .preset > div > details")].filter(
            (part) => part.tagName !== "DETAILS" || part.open).length]""")
        self.assertLessEqual(first, 900)
        self.assertLessEqual(whole, 6 * 900)
        self.assertEqual(others, 0)
        for shown in (".answers", ".doubts", ".tiers", ".contenders svg"):
            self.assertGreater(self.browser.evaluate(
                f"document.querySelector('{shown}').getBoundingClientRect().height"), 20, shown)

    @needs_chromium
    def test_letter_paper_has_9_pages_and_a4_8(self):
        for most, paper in ((9, {}), (8, {"paperWidth": 8.27, "paperHeight": 11.69})):
            printed = self.browser.pdf(**paper)
            pages = re.findall(rb"/Type\s*/Page\b", printed)
            self.assertEqual(len(pages), most, paper)

    @needs_chromium
    def test_tables_are_whole_on_paper(self):
        self.browser.resize(718, 950)  # the narrower and the lower of A4 and Letter
        self.browser.prefer("print")
        cut = self.browser.evaluate("""[...document.querySelectorAll("table")]
          .filter((table) => table.checkVisibility({ contentVisibilityAuto: true }))
          .map((table) => [table.closest("figure").ariaLabel, table.getBoundingClientRect()])
          .map(([name, box]) => [name, box.left, box.right, box.height])""")
        self.assertEqual(len(cut), 1 + 2 * 6 + 1)
        for name, left, right, height in cut:
            self.assertGreaterEqual(left, 0, name)
            self.assertLessEqual(right, 718, name)
            self.assertLess(height, 950, name)
        self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll("figure")]
          .filter((figure) => getComputedStyle(figure).breakInside !== "avoid").length"""), 0)
