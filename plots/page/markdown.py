"""Turns the Markdown that the program prints into HTML."""
import collections
import re
import subprocess

from input_file import InputError
from page.markup import Cell, join, table, tag

_US = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
_LABELLED = re.compile(r"\*\*(.*?)\*\* (.*)", re.DOTALL)

# The content below a heading: its title, the words after it, and the blocks as printed.
Section = collections.namedtuple("Section", "title more blocks")


def printed(program, *words):
    """The standard output of the program with these words; raises InputError with what it says."""
    try:
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise InputError(error.stderr.strip().partition(": ")[2]) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{program!r} cannot be run ({error}): name a trilane with "
                         "--program") from error


def sections(text):
    """The sections of a text; the first has no title if something stands before any heading."""
    title, more, blocks = "", "", []
    for block in _blocks(text):
        if block.startswith("### "):
            if title or blocks:
                yield Section(title, more, blocks)
            title, _, more = block.removeprefix("### ").partition(": ")
            blocks = []
        else:
            blocks.append(block)
    yield Section(title, more, blocks)


def is_table(block):
    return block.startswith("|")


def head_of(block):
    """The first heading of a table."""
    return block[1:].partition("|")[0].strip()


def html(block, caption):
    """A block as HTML; `caption` is for a table."""
    if block.startswith("```"):
        return tag("pre", block.removeprefix("```"))
    if is_table(block):
        return _table(block, caption)
    if block.startswith("- "):
        return _list([" ".join(item.split()) for item in re.split(r"^- ", block,
                                                                  flags=re.MULTILINE)[1:]])
    return tag("p", sentence(block))


def sentence(block):
    """A paragraph in one line."""
    return " ".join(block.split())


def _blocks(text):
    """Returns what empty lines part, except within fences."""
    for place, part in enumerate(re.split(r"^```\n", text, flags=re.MULTILINE)):
        if place % 2:
            yield f"```{part}"
        else:
            yield from filter(None, (block.strip("\n") for block in part.split("\n\n")))


def _list(items):
    labelled = [_LABELLED.match(item) for item in items]
    if not all(labelled):
        return tag("ul", *(tag("li", item) for item in items))
    return tag("dl", *(join((tag("dt", found[1]), tag("dd", found[2]))) for found in labelled),
               class_="answers")


def _table(block, caption):
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")]
                      for line in block.splitlines())
    return table(caption, head, [[row[0], *map(_cell, row[1:])] for row in rows])


def _cell(words):
    """A cell that is sorted by its first time."""
    found = re.match(r"([\d.]+) (ns|us|ms|s)\b", words)
    return Cell(words, float(found[1]) * _US[found[2]]) if found else words
