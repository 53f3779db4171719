"""Tests of the report's sections on answers and loops. Run by ctest; needs matplotlib and D3."""
import gzip
import json
import os
import re

from plot_test_case import ScriptTestCase
from report_page import Tables, made_up

from findings import files
from input_file import InputError
from page import asked

PROGRAM = os.environ["TRILANE_PROGRAM"]
ANSWERS, LOOP = files.FOLDER / "answers.json.gz", files.FOLDER / "loop.json.gz"
# Prints what a program might, with all kinds of parts.
STAND_IN = """#!/bin/bash
[[ $1 == show && $3 == --markdown ]] || exit 9
[[ $2 != wrong ]] || { echo "trilane: show 'wrong': is not <right>" >&2; exit 2; }
cat << 'END'
Simulated <GPU>: no time is
measured.

### Does a <b> wait?: a_b

- **Answer** Yes: 2 & 3 take
  1.5 ms.
- **Means** Less.

| figure | median  | rounds |
| :----- | ------: | -----: |
| a      |  505 us |     12 |
| b      | 1.01 ms |      7 |

### Another

- plain
- list

```
A  B

C
```
END
"""


class Asked(ScriptTestCase):
    def setUp(self):
        super().setUp()
        self.write(STAND_IN, "stand-in").chmod(0o755)
        self.program = str(self.folder / "stand-in")

    def test_every_kind_of_part_is_shown_and_escaped(self):
        page = asked.loops(self.program, "right")
        self.assertIn("<p>Simulated &lt;GPU&gt;: no time is measured.</p>", page)
        self.assertIn('<details><summary><h3>Does a &lt;b&gt; wait?</h3><span class="shape">a_b',
                      page)
        self.assertIn('<dl class="answers"><dt>Answer</dt><dd>Yes: 2 &amp; 3 take 1.5 ms.</dd>'
                      "<dt>Means</dt><dd>Less.</dd></dl>", page)
        self.assertIn("<ul><li>plain</li><li>list</li></ul>", page)
        self.assertIn("<pre>A  B\n\nC\n</pre>", page)
        self.assertEqual(Tables(page).tables["Does a <b> wait?"],
                         [["figure", "median", "rounds"], ["a", "505 us", "12"],
                          ["b", "1.01 ms", "7"]])

    def test_times_are_sorted_as_times(self):
        values = re.findall(r'data-value="([^"]*)"', asked.loops(self.program, "right"))
        self.assertEqual(values, ["505", "1010"])

    def test_what_the_program_refuses_is_refused_in_its_words(self):
        with self.assertRaisesRegex(InputError, "^show 'wrong': is not <right>$"):
            asked.answers(self.program, "wrong")
        with self.assertRaisesRegex(InputError, "cannot be run.*name a trilane with --program"):
            asked.answers(str(self.folder / "none"), "right")

    def test_without_files_there_are_no_sections(self):
        self.assertEqual((asked.answers("none", None), asked.loops("none", None)), ("", ""))


class Report(ScriptTestCase):
    def report(self, *more):
        results, _ = made_up(["launch"])
        done = self.run_script("report", self.write(results, "r.json"), "r.html", *more,
                               "--program", PROGRAM)
        return done, self.folder / "r.html"

    def test_the_committed_answers_are_shown_with_their_figures(self):
        done, path = self.report("--answers", ANSWERS, "--loop", LOOP)
        self.assert_silent(done)
        page = path.read_text(encoding="utf-8")
        self.assertIn("<h2>Questions</h2>", page)
        self.assertIn("<h2>Lanes that restart</h2>", page)
        tables = Tables(page).tables
        held = json.loads(gzip.decompress(ANSWERS.read_bytes()).decode())["answers"]
        self.assertGreater(len(held), 30)
        for answer in held:
            with self.subTest(question=answer["question"]):
                self.assertEqual(page.count(f"<dt>{answer['question']}</dt>"), 1)
                self.assertEqual(page.count(f'class="shape">{answer["question"]}</span>')
                                 + page.count(f"<p>{answer['question']}</p>"), 1)
                wanted = [figure["name"] for figure in answer["figures"]]
                self.assertIn(wanted, [[row[0] for row in rows[1:]] for rows in tables.values()])
        for loop in json.loads(gzip.decompress(LOOP.read_bytes()).decode())["loops"]:
            rows = tables[loop["loop"]["name"]]
            self.assertEqual([row[:2] for row in rows[1:]],
                             [[m["teller"], m["resubmission"]] for m in loop["measurements"]])

    def test_a_wrong_file_is_refused(self):
        for option, file, said in (("--loop", self.write("{}", "no.json"), ".schema is missing"),
                                   ("--answers", LOOP, "is not for such a file")):
            with self.subTest(option=option):
                done, path = self.report(option, file)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, r"^report.py: [^\n]*" + re.escape(said)
                                 + r"[^\n]*\n$")
                self.assertFalse(path.exists())

    def test_no_input_is_overwritten(self):
        answers = self.write(gzip.decompress(ANSWERS.read_bytes()).decode(), "r.html")
        done, _ = self.report("--answers", answers)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot become the report", done.stderr)
