"""Tests of the one way in and of the one way out of the scripts: what is no file, what cannot be
written, and signals. Run by ctest; needs matplotlib."""
import contextlib
import errno
import fcntl
import gzip
import os
import re
import signal
import subprocess
import sys
from unittest import mock

import synthetic
from plot_test_case import PLOTS, ScriptTestCase

import input_file
import output_file
import picture
import regime_cells
import results_check
import rules
from page import markup
from plain_text import cut, plain
from schema import LOW_FACTOR, NAME, Wrong, check, list_of, members, number, one_of

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
HELD = """
import os, sys, time
sys.path.insert(0, {plots!r})
import command_line, output_file
def replace(*_):
    print("ready", flush=True)
    time.sleep(60)
os.replace = replace
command_line.run(lambda: output_file.write({{"a.txt": b"whole"}}))
"""


class WayIn(ScriptTestCase):
    def refused(self, path, *words):
        with self.assertRaises(input_file.InputError) as caught:
            input_file.read(path, "the way out")
        for word in (*words, "the way out"):
            self.assertIn(word, str(caught.exception))
        self.assertTrue(str(caught.exception).isprintable())

    def test_only_regular_files_of_some_size_are_read(self):
        os.mkfifo(self.folder / "fifo")
        for path in (self.folder / "fifo", "/dev/zero", "/dev/null"):
            self.refused(path, "is not a regular file")
        self.refused(self.folder, "cannot be read (Is a directory)")
        with open(self.folder / "large", "wb") as large:
            large.truncate(input_file.MOST_BYTES + 1)
        self.refused(self.folder / "large", f"larger than {input_file.MOST_BYTES >> 20} MiB")
        with mock.patch.object(input_file, "MOST_VALUES", 10):
            self.refused(self.write([0] * 11), "more than 10 values")
            self.assertEqual(input_file.read(self.write([0] * 9), ""), [0] * 9)

    def test_gzip_data_is_read_with_the_same_limits(self):
        path = self.folder / "r.json.gz"
        data = gzip.compress(b"[1, 2]") + gzip.compress(b" ")
        path.write_bytes(data)
        self.assertEqual(input_file.read(path, ""), [1, 2])
        for damaged in (data[:-1], data + b"more", data[:12] + b"x" + data[13:]):
            path.write_bytes(damaged)
            self.refused(path, "cannot be read (its gzip data is damaged or cut short)")
        path.write_bytes(gzip.compress(b" " * ((2 << 20) + 1)))
        with mock.patch.object(input_file, "MOST_BYTES", 2 << 20):
            with self.assertRaisesRegex(input_file.InputError, "larger than 2 MiB"):
                input_file.content(path, "the way out", input_file.MOST_BYTES)

    def test_files_may_be_as_large_as_the_program_reads(self):
        header = (PLOTS.parent / "common/base/json/document.hpp").read_text()
        size = re.search(r"most_input_bytes = std::size_t\{(\d+)\} << (\d+);", header)
        values = re.search(r"most_json_values = ([\d']+);", header)
        self.assertEqual(input_file.MOST_BYTES, int(size[1]) << int(size[2]))
        self.assertEqual(input_file.MOST_VALUES, int(values[1].replace("'", "")))

    def test_measurements_end_as_the_program_says(self):
        self.assertIn("not supported", results_check.STATES)
        self.assertEqual({*regime_cells.BLANK, "ok"}, {*results_check.STATES})

    def test_values_are_within_limits(self):
        deep = input_file.DEEPEST
        for content, words in (
                ('{"a": [1, NaN]}', ".a[1] should be a finite number"),
                ('[-Infinity]', "[0] should be a finite number"),
                (f'{{"a": {"9" * 401}}}', ".a should be a finite number of at most 20 digits"),
                (f'[{"9" * 5000}]', "[0] should be a finite number"), ("[1e999]", "[0] should be"),
                ("[" * (deep + 1) + "]" * (deep + 1), f"at most {deep} deep"),
                ("[" * 100_000, "is not JSON"), ('{"a": 1, "a": 2}', "has the member 'a' twice"),
                (f'["{"x" * 100_001}"]', "at most 100,000 characters")):
            self.refused(self.write(content), words)
        good = "[" * deep + '"' + "x" * 100_000 + '", 18446744073709551616' + "]" * deep
        input_file.read(self.write(good), "")

    def test_texts_are_fit_to_be_shown_and_null_is_as_missing(self):
        found = input_file.read(self.write('{"a\\u001b": "\\ud800 \\u0000\\n\\u202e", "b": null, '
                                           '"c": [null, "µ 中 é"]}'), "")
        self.assertEqual(found, {"a\\x1b": "\\ud800 \\x00\\n\\u202e", "c": [None, "µ 中 é"]})
        self.assertEqual(plain("a b"), "a b")
        self.assertEqual((cut("x" * 60), len(cut("x" * 10**6))), ("x" * 60, 58))

    def test_what_is_not_as_described_is_told_by_its_place(self):
        kind = members({"kind": one_of("x", "y")})
        shape = members(
            {"a": list_of(number(0, 9, "integer")),
             "c": members({"low": LOW_FACTOR, "high": number(1, 9)},
                          rules=[rules.rising("low", "high")],
                          which=lambda c: kind if c["high"] == 9 else None)},
            {"b": NAME | {"maxLength": 3}}, additionalProperties=False)
        good = {"a": [1], "c": {"low": 0, "high": 2}}
        check(good, shape)
        for change, words in (
                ({"a": [1, 2.5]}, ".a[1] should be a whole number from 0 to 9 and is 2.5"),
                ({"a": [True]}, ".a[0] should be a whole number from 0 to 9 and is true"),
                ({"a": [1, 2.0]}, ".a[1] should be a whole number from 0 to 9 and is 2.0"),
                ({"a": [1, 10]}, ".a[1] should be a whole number from 0 to 9 and is 10"),
                ({"a": [1, -1]}, ".a[1] should be a whole number from 0 to 9 and is -1"),
                ({"d": 7}, ".d should be left out and is 7"),
                ({"a": {}}, ".a should be a list and is {}"),
                ({"b": "a\\"}, ".b should be a text of 1 to 3 printable characters without"),
                ({"b": ""}, ".b should be a text of 1 to 3"),
                ({"c": {"low": 3, "high": 2}}, ".c.high should be at least .low, 3, and is 2"),
                ({"c": {"low": -1, "high": 2}}, ".c.low should be 0 or a number from 1e-09 to"),
                ({"c": {"low": 0, "high": 9}}, ".c.kind should be one of x, y and is missing"),
                ({"c": None}, ".c should be an object and is missing")):
            with self.assertRaises(Wrong) as caught:
                check({**good, **change}, shape)
            self.assertIn(words, caught.exception.words)

    def test_no_picture_is_larger_than_can_be_seen(self):
        picture.blank(9, picture.MOST_INCHES)
        with self.assertRaisesRegex(input_file.InputError, "draw fewer"):
            picture.blank(9, picture.MOST_INCHES + 1)

    def test_pages_hold_nothing_that_xml_cannot(self):
        shown = markup.tag("p", "a\0<\ud800\ufffe\n", title="\x1b\"")
        self.assertEqual(shown, '<p title="\ufffd&quot;">a\ufffd&lt;\ufffd\ufffd\n</p>')

    def test_a_wrong_command_line_is_told_in_a_line(self):
        for words in ((), ("a", "b", "c"), ("--none", "a", "b")):
            self.assert_fails(self.run_script("times", *words), 2, "see --help")


class WayOut(ScriptTestCase):
    def piped(self, name, *words, out):
        """The ended process of a script whose standard output is that file or nothing."""
        return subprocess.run([sys.executable, PLOTS / f"{name}.py", *words], cwd=self.folder,
                              stdout=out, stderr=subprocess.PIPE, text=True, check=False)

    def test_standard_output_that_cannot_be_written_ends_with_5_and_a_line(self):
        path = self.write(synthetic.results(["launch"]))
        read, closed = os.pipe()
        os.close(read)
        with open("/dev/full", "w") as full:
            for words in ((path,), ("--help",)):
                for out in (closed, full):
                    done = self.piped("verdicts", *words, out=out)
                    self.assertEqual(done.returncode, 5)
                    self.assertRegex(done.stderr, r"\Averdicts\.py: standard output cannot be "
                                                  r"written \([^\n]*\n\Z")
        os.close(closed)
        done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", sys.executable, PLOTS / "verdicts.py",
                               path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (5, 1), done.stderr)

    def test_the_exit_code_stays_where_nothing_can_be_said(self):
        for redirection in ("2>/dev/full", "2>&-", ">&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", sys.executable,
                                   PLOTS / "verdicts.py", "absent"], cwd=self.folder, check=False)
            self.assertEqual(done.returncode, 2, redirection)

    def test_what_an_encoding_lacks_is_printed_with_escapes(self):
        results = synthetic.results(["launch"])
        results["comparisons"][0]["verdict"] = "5 µs\x1b"
        done = self.run_script("verdicts", self.write(results), PYTHONIOENCODING="ascii")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "5 \\xb5s\\x1b\n", ""))

    def test_names_in_messages_are_shown_with_escapes(self):
        self.write(synthetic.results(["launch"], ["streams"]))
        (self.folder / "\x1b[2J\n").touch()
        for words in (("input.json", "\x1b[2J\n"), ("\x1b[2J\n.json", "out"),
                      ("input.json", "out", "\x1b[2J\n")):
            done = self.run_script("times", *words)
            self.assert_fails(done, 2 if "out" in words else 5, "\\x1b[2J\\n")
            self.assertTrue(done.stderr[:-1].isprintable(), done.stderr)

    def test_a_name_that_is_too_long_or_a_loop_ends_with_5(self):
        results = synthetic.results(["launch"], ["streams"])
        (self.folder / "loop").symlink_to("loop")
        for out in ("n" * 300, "loop/out"):
            self.assert_fails(self.draw("times", results, out=out), 5, "cannot be written")
        done = self.run_script("report", "input.json", "n" * 300 + ".html")
        self.assert_fails(done, 5, "cannot be written")

    def test_files_are_all_there_or_none(self):
        with contextlib.chdir(self.folder), mock.patch.object(os, "replace") as replace:
            replace.side_effect = OSError(errno.ENOSPC, "full")
            with self.assertRaises(OSError):
                output_file.write({"a": b"a", "b": b"b"})
        self.assertEqual(self.files("."), set())

    def test_signals_leave_no_temporary_file(self):
        for number in SIGNALS:
            with subprocess.Popen([sys.executable, "-c", HELD.format(plots=str(PLOTS))],
                                  cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.PIPE, preexec_fn=_heed_signals) as child:
                self.assertEqual(child.stdout.readline(), "ready\n")
                self.assertEqual(len(self.files(".")), 1)
                with (open(self.folder / self.files(".").pop(), "rb") as temporary,
                      self.assertRaises(BlockingIOError)):  # or it would count as left behind
                    fcntl.flock(temporary, fcntl.LOCK_EX | fcntl.LOCK_NB)
                child.send_signal(number)
                said = child.communicate(timeout=60)[1]
            self.assertEqual((child.returncode, said, self.files(".")),
                             (130, "-c: stopped\n", set()))


def _heed_signals():
    """In a child: whoever runs the tests may have had signals ignored."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
