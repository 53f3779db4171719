"""The sections on answers and loops: what trilane show prints of their files, as HTML."""
import re
import subprocess

from input_file import InputError
from page.markup import Cell, details, join, table, tag

_US = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
_LABELLED = re.compile(r"\*\*(.*?)\*\* (.*)", re.DOTALL)


def answers(program, path):
    """A section of the answers in short and, folded, each with its figures; empty without a file."""
    if not path:
        return ""
    short = (join((tag("h3", title), *parts)) for title, _, parts in _sections(program, path,
                                                                               "--quiet"))
    return details(tag("h2", "Questions"), tag("div", *short, *_folded(program, path),
                                               id="questions"), class_="always")


def loops(program, path):
    """A section with a table for each loop; empty without a file."""
    return details(tag("h2", "Lanes that restart"), tag("div", *_folded(program, path),
                                                        id="loops")) if path else ""


def _folded(program, path):
    for title, more, parts in _sections(program, path):
        yield details(join((tag("h3", title), tag("span", more, class_="shape"))), *parts) \
            if title else join(parts)


def _sections(program, path, *options):
    """Title, details and content of what stands below each heading, the first without one."""
    title, more, parts = "", "", []
    for block in _blocks(_printed(program, path, *options)):
        if block.startswith("### "):
            if title or parts:
                yield title, more, parts
            title, _, more = block.removeprefix("### ").partition(": ")
            parts = []
        else:
            parts.append(_html(block, title))
    yield title, more, parts


def _printed(program, path, *options):
    words = [program, "show", path, "--markdown", *options]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise InputError(error.stderr.strip().partition(": ")[2]) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{program!r} cannot be run ({error}): name a trilane with "
                         "--program") from error


def _blocks(markdown):
    """What empty lines part, except within fences."""
    for place, part in enumerate(re.split(r"^```\n", markdown, flags=re.MULTILINE)):
        if place % 2:
            yield f"```{part}"
        else:
            yield from filter(None, (block.strip("\n") for block in part.split("\n\n")))


def _html(block, caption):
    if block.startswith("```"):
        return tag("pre", block.removeprefix("```"))
    if block.startswith("|"):
        return _table(block, caption)
    if block.startswith("- "):
        return _list([" ".join(item.split()) for item in re.split(r"^- ", block,
                                                                  flags=re.MULTILINE)[1:]])
    return tag("p", " ".join(block.split()))


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
