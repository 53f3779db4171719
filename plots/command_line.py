"""The command line of the scripts, their exit codes, and saving pictures."""
import argparse
import contextlib
import io
import os
import sys
from pathlib import Path

import stopping  # stops the script on a signal
import output_file
import results as results_file
from input_file import InputError
from output_file import OutputError
from plain_text import cut, plain

_PNG_DOTS = 150  # per inch


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command line, and prints as the scripts do."""

    def print_help(self, file=None):
        output_file.say([self.format_help().rstrip()])

    def error(self, message):
        raise InputError(f"{message}; see --help")


def save(figure, folder, name):
    """Writes NAME.png and NAME.svg into `folder`; raises OutputError."""
    drawn = {}
    for kind, extra in (("png", {"dpi": _PNG_DOTS}), ("svg", {"metadata": {"Date": None}})):
        written = io.BytesIO()
        figure.savefig(written, format=kind, **extra)
        drawn[Path(folder) / f"{name}.{kind}"] = written.getvalue()
    try:
        os.makedirs(folder, exist_ok=True)
        output_file.write(drawn)
    except OSError as error:
        raise OutputError(f"'{folder}'", error, "folder",
                          "name a folder that can be written") from error


def run(main):
    """Ends the program with main's exit code. Ends it with one line and 2 if a file cannot be used,
    5 if an output cannot be written."""
    sys.exit(_code(main))


def _code(main):
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")
    try:
        with contextlib.ExitStack() as at_end:
            if sys.stdout:
                at_end.callback(output_file.say)
            return main()
    except InputError as error:
        return complain(error, 2)
    except OutputError as error:
        return complain(error, 5)


def complain(error, code):
    """Says it in a line; returns the exit code."""
    if sys.stderr:
        try:
            print(cut(plain(f"{Path(sys.argv[0]).name}: {error}"), 1500), file=sys.stderr,
                  flush=True)
        except OSError:
            output_file.silence(2)
    return code


def main(name, description, draw, load=results_file.load, file="RESULTS.json",
         written_by="trilane --json"):
    """Runs a script with one picture: `draw` makes a figure of what `load` reads from `file`."""
    def draw_file():
        parser = Parser(description=description)
        parser.add_argument("file", metavar=file, help=f"written by {written_by}")
        parser.add_argument("folder", metavar="OUTDIR", help=f"gets {name}.png and {name}.svg")
        arguments = parser.parse_args()
        save(draw(load(arguments.file)), arguments.folder, name)
    run(draw_file)
