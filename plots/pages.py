"""Checks the figures and the printed output on the pages against the committed results files; with
--write it puts right what differs. Says each mistake in a line, and ends with 1 if one is left."""
import os
import re
import subprocess

import picture  # first: reports a missing matplotlib
import command_line
import input_file
import output_file
from findings import answers_page, blocks, fields, readme_page, results_page
from findings.files import ROOT
from input_file import InputError
from output_file import OutputError

PAGES = {"README.md": readme_page.sentences, "plots/results/README.md": results_page.sentences,
         "plots/results/questions.md": answers_page.sentences_on_answers,
         "plots/results/loop.md": answers_page.sentences_on_loop}
_OUTPUT = re.compile(r"^\$ trilane ([^\n]*)\n(.*?)(?=^```)", re.MULTILINE | re.DOTALL)


def with_output(page, program):
    """The page with what the program prints below each command."""
    def printed(words):
        try:
            return subprocess.run([program, *words.split()], cwd=ROOT, capture_output=True,
                                  text=True, check=True).stdout
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise InputError(f"the page's command cannot be run ({error}): name a program that can "
                             "with --program") from error
    page = _OUTPUT.sub(lambda match: f"$ trilane {match[1]}\n{printed(match[1])}", page)
    return blocks.written(page, printed)


def mistakes(page, sentences, program):
    """Returns what is wrong on a page, a line each."""
    yield from fields.mistakes(page, sentences)
    for found in fields.uncovered(blocks.without(page), sentences):
        yield f"{found!r} is in no sentence of plots/findings"
    if program and with_output(page, program) != page:
        yield f"{program} prints something else than stands below a command"


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="correct what differs")
    parser.add_argument("--program", default=os.environ.get("TRILANE_PROGRAM"),
                        help="trilane or trilane-sim, for printed output (default: "
                             "$TRILANE_PROGRAM; without it that is not checked)")
    arguments = parser.parse_args()
    wrong = 0
    for name, sentences in PAGES.items():
        path, found = ROOT / name, list(sentences())
        page = input_file.text(path, "check out the whole repository")
        if arguments.write:
            page = fields.written(page, found)
            page = with_output(page, arguments.program) if arguments.program else page
            _write(path, page)
        for mistake in mistakes(page, found, arguments.program):
            output_file.say([f"{name}: {mistake}"])
            wrong = 1
    return wrong


def _write(path, page):
    try:
        output_file.write({path: page.encode()})
    except OSError as error:
        raise OutputError(f"'{path}'", error, "folder", "check out where you can write") from error


if __name__ == "__main__":
    command_line.run(main)
