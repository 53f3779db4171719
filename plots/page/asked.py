"""The sections on answers and loops: what trilane show prints of their files, as HTML."""
from page import markdown
from page.markup import details, join, tag


def answers(program, path):
    """A section of the answers in short and, folded, each with its figures; empty without a file."""
    if not path:
        return ""
    short = (join((tag("h3", found.title), *_parts(found)))
             for found in _sections(program, path, "--quiet"))
    return details(tag("h2", "Questions"), tag("div", *short, *_folded(program, path),
                                               id="questions"), class_="always")


def loops(program, path):
    """A section with a table for each loop; empty without a file."""
    return details(tag("h2", "Lanes that restart"), tag("div", *_folded(program, path),
                                                        id="loops")) if path else ""


def _folded(program, path):
    for found in _sections(program, path):
        yield details(join((tag("h3", found.title), tag("span", found.more, class_="shape"))),
                      *_parts(found)) if found.title else join(_parts(found))


def _sections(program, path, *options):
    return markdown.sections(markdown.printed(program, "show", path, "--markdown", *options))


def _parts(found):
    return [markdown.html(block, found.title) for block in found.blocks]
