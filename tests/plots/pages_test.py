"""Tests of the pages: their figures, their links and their length. Run by ctest."""
import os
import re
import subprocess
import unittest

from plot_test_case import PLOTS, ScriptTestCase

from findings import blocks, fields, files, run
from findings.fields import Sentence, field

ROOT = PLOTS.parent
PAGES = sorted(path for path in ROOT.rglob("*.md")
               if not path.relative_to(ROOT).parts[0].startswith(("build", "install", ".")))
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def text(path):
    return path.read_text(encoding="utf-8")


class Pages(ScriptTestCase):
    def test_figures_and_output_are_those_of_the_committed_results(self):
        done = self.run_script("pages", TRILANE_PROGRAM=os.environ["TRILANE_PROGRAM"])
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_questions_of_the_help_are_those_of_the_top_page(self):
        done = subprocess.run([os.environ["TRILANE_PROGRAM"], "--help"], capture_output=True,
                              text=True, check=True)
        program = os.path.basename(os.environ["TRILANE_PROGRAM"])
        asked = re.findall(rf"^  (\S.*\?)\n    {program} (.*)$", done.stdout, re.MULTILINE)
        self.assertGreater(len(asked), 9)
        front = text(ROOT / "README.md").replace("`cudaMalloc`", "cudaMalloc")
        for question, command in asked:
            self.assertIn(f"| {question} | `trilane {command}` |", front)

    def test_links_lead_somewhere(self):
        self.assertGreater(len(PAGES), 10)
        links = 0
        for page in PAGES:
            for link in LINK.findall(CODE.sub("", text(page))):
                if "://" in link:
                    continue
                links += 1
                name, _, anchor = link.partition("#")
                target = (page.parent / name).resolve() if name else page
                with self.subTest(page=str(page.relative_to(ROOT)), link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(text(target)))
        self.assertGreater(links, 50)

    def test_the_top_page_leads_to_all_others(self):
        front = text(ROOT / "README.md")
        self.assertLessEqual(front.count("\n"), 220)
        for page in PAGES:
            name = str(page.relative_to(ROOT))
            self.assertTrue(name == "README.md" or f"]({name}" in front, name)

    def test_the_top_page_shows_few_pictures_and_none_is_high(self):
        shown = re.findall(r"!\[[^\]]+\]\(([^)]+\.png)\)", text(ROOT / "README.md"))
        self.assertIn(len(shown), (1, 2))
        for name in shown:
            height = int.from_bytes((ROOT / name).read_bytes()[20:24], "big")  # of a PNG
            self.assertLessEqual(height, 900, name)

    def test_every_committed_result_and_picture_is_remade_and_shown(self):
        script, pages = text(PLOTS / "remake.sh"), "".join(map(text, PAGES))
        steps = set(re.findall(r"^ +step (\w+) ", script, re.MULTILINE))
        self.assertEqual(steps, set(files.NAMES))
        for path in files.FOLDER.glob("*.json*"):
            self.assertIn(path.name.removesuffix(".json.gz"), steps)
        for path in files.FOLDER.glob("*.png"):
            self.assertTrue(f"({path.name})" in pages or f"/{path.name})" in pages, path.name)


class Blocks(unittest.TestCase):
    page = "One.\n<!-- trilane show a.json --quiet -->\nold, 3 ms\n<!-- end -->\nTwo.\n"

    def test_what_is_printed_stands_between_the_comments(self):
        page = blocks.written(self.page, lambda words: f"{words}: new\n")
        self.assertEqual(page, "One.\n<!-- trilane show a.json --quiet -->\n\n"
                         "show a.json --quiet: new\n\n<!-- end -->\nTwo.\n")
        self.assertEqual(blocks.written(page, lambda words: f"{words}: new\n"), page)
        self.assertEqual(fields.uncovered(blocks.without(self.page), []), [])

    def test_questions_lead_to_their_experiments(self):
        link = "`trilane ask two_streams`, settled by [two_streams.cpp]" \
               "(../../common/measure/questions/graphs/two_streams.cpp)."
        for heading in ("### In turn?: two_streams\n", "### In turn?\n\ntwo_streams\n"):
            page = blocks.written(self.page, lambda _, heading=heading: f"{heading}\nNo.\n")
            self.assertIn(f"\n### In turn?\n\n{link}\n\nNo.\n", page)

    def test_every_committed_answer_stands_on_its_page_once(self):
        page = text(files.FOLDER / "questions.md")
        questions = list(files.found())
        self.assertGreater(len(questions), 30)
        for question in questions:
            self.assertEqual(page.count(f"`trilane ask {question}`, settled by ["), 1, question)
            self.assertEqual(page.count(f"- **{question}** "), 1, question)
        self.assertNotIn("that is gone", page)


class Fields(unittest.TestCase):
    page = "- On launch, graph\n  takes 12 µs, pool 3.5.\n\n| pool | 4 MiB |\n"
    right = Sentence(f"graph takes {field('12')} µs, pool {field('3.5')}.")
    row = Sentence(f"| pool | {field('4 MiB')} |")

    def mistakes(self, *sentences):
        return list(fields.mistakes(self.page, sentences))

    def test_finds_sentences_however_their_lines_are_broken(self):
        self.assertEqual(self.mistakes(self.right, self.row), [])

    def test_the_point_of_a_number_ends_no_sentence(self):
        sentence = Sentence(f"It is {field('2.4%')} above, and {field('0.3')}.")
        page = "It is 2.4% above, and 0.3. So it is.\n"
        self.assertEqual(list(fields.mistakes(page, [sentence])), [])
        self.assertEqual(fields.written(page.replace("0.3", "0.25"), [sentence]), page)

    def test_finds_what_differs(self):
        wrong = Sentence(f"graph takes {field('1,234')} µs, pool {field('3.51')}.")
        self.assertEqual(self.mistakes(wrong),
                         ["by the results: graph takes 1,234 µs, pool 3.51."])
        page = fields.written(self.page, [wrong, Sentence(f"| pool | {field('…')} |")])
        self.assertEqual(page, "- On launch, graph\n  takes 1,234 µs, pool 3.51.\n\n| pool | … |\n")

    def test_finds_what_is_gone_double_or_no_longer_so(self):
        gone = Sentence(f"graph takes {field('12')} ms.")
        self.assertIn("stands 0 times", self.mistakes(gone)[0])
        self.assertIn("stands 2 times", list(fields.mistakes(2 * self.page, [self.row]))[0])
        self.assertIn("contradict", self.mistakes(self.right._replace(holds=False))[0])

    def test_finds_figures_outside_of_sentences(self):
        self.assertEqual(fields.uncovered(self.page, [self.row]), ["12 µs"])
        self.assertEqual(fields.uncovered(self.page, [self.right, self.row]), [])
        rest = "At `--time 2s`, by 95% intervals, 5 lanes.\n```\n3 s\n```\n"
        self.assertEqual(fields.uncovered(rest, []), [])
        for figure in ("40%", "3 GiB", "1.2 times", "7x", "12\nms", "1,000 µs"):
            self.assertEqual(fields.uncovered(f"It takes {figure}.", []), [figure])

    def test_a_file_that_is_not_there(self):
        missing = run.load(files.FOLDER / "no.json")
        self.assertEqual(fields.plain(missing.wall("launch", "graph")), "…")
        self.assertTrue(missing.is_faster("launch", "graph"))
