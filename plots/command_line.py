"""The command line of the scripts that draw, their exit codes, and saving pictures."""
import argparse
import contextlib
import errno
import os
from pathlib import Path

import results as results_file
from input_file import InputError


def save(figure, folder, name):
    """Writes NAME.png and NAME.svg into `folder`. A file is never left half written."""
    os.makedirs(folder, exist_ok=True)
    for kind, extra in (("png", {"dpi": 150}), ("svg", {"metadata": {"Date": None}})):
        target = Path(folder) / f"{name}.{kind}"
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            figure.savefig(partial, format=kind, **extra)
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)


@contextlib.contextmanager
def exit_on_error(parser, folder):
    """Ends the program with a message: exit code 2 for files that cannot be drawn, 5 if `folder`
    cannot be written."""
    try:
        yield
    except InputError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except OSError as error:
        parser.exit(5, f"{parser.prog}: '{folder}' cannot be written ({error.strerror}): "
                    f"{way_out(error, 'folder', 'name a folder that can be written')}\n")


def way_out(error, place, otherwise):
    """What to do if writing failed: make room if the disk is full, and `otherwise` if not."""
    full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
    return f"make room or name another {place}" if full else otherwise


def main(name, description, draw, load=results_file.load, file="RESULTS.json",
         written_by="trilane --json"):
    """Runs a script with one picture: `draw` makes a figure of what `load` reads from `file`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("file", metavar=file, help=f"written by {written_by}")
    parser.add_argument("folder", metavar="OUTDIR", help=f"gets {name}.png and {name}.svg")
    arguments = parser.parse_args()
    with exit_on_error(parser, arguments.folder):
        save(draw(load(arguments.file)), arguments.folder, name)
