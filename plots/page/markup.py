"""Builds HTML. All text from files is escaped here."""
import collections
import html
import re

_VOID = ("img", "input")  # elements without an end tag
# Characters that XML, of which drawings are made, cannot contain, and HTML should not.
_NEVER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OPEN = ("td", "th", "tr")  # the end tag is optional, and tables are most of a page

# A cell of a table with the number that sorts its column, if the text is not a plain number.
Cell = collections.namedtuple("Cell", "shown value")


class Raw(str):
    """HTML that needs no escaping."""


def text(value):
    """`value` as HTML; None becomes empty."""
    if isinstance(value, Raw):
        return value
    return Raw(html.escape(_NEVER.sub("\N{REPLACEMENT CHARACTER}",
                                      "" if value is None else str(value))))


def tag(name, /, *content, **attributes):
    """An element. Use class_ for class, and True for an attribute without a value."""
    words = [name]
    for key, value in attributes.items():
        key = key if key in ("viewBox", "patternUnits", "preserveAspectRatio") else \
            key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
        elif value is not None:
            words.append(f'{key}="{text(str(value))}"')
    inside = "" if name in _VOID else join(content)
    end = "" if name in (*_VOID, *_OPEN) else f"</{name}>"
    return Raw(f"<{' '.join(words)}>{inside}{end}")


def join(parts):
    return Raw("".join(map(text, parts)))


def table(caption, head, rows, class_=None, groups=()):
    """A table that scrolls if it is too wide, also by keyboard; a script makes it sortable by its
    `head`. The first column names the row. A row may be a pair of its cells and its class. With
    `groups`, pairs of a heading and its rows, there is a part for each after `rows`."""
    bodies = [tag("tbody", *map(_row, rows))] if rows else []
    bodies += [tag("tbody", tag("tr", tag("th", heading, scope="rowgroup"),
                                tag("td", colspan=len(head) - 1), class_="group"),
                   *map(_row, members))
               for heading, members in groups]
    top = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head))) if head else ""
    return tag("figure", tag("figcaption", caption), tag("table", top, *bodies, class_=class_),
               class_="scroll", tabindex=0, role="region", aria_label=caption)


def _row(row):
    cells, kind = row if isinstance(row, tuple) else (row, None)
    return tag("tr", tag("th", cells[0], scope="row"), *map(_cell, cells[1:]), class_=kind)


def _cell(cell):
    if not isinstance(cell, Cell):
        return tag("td", cell)
    return tag("td", cell.shown, data_value=None if cell.value is None else f"{cell.value:.6g}")


def details(summary, *content, **attributes):
    return tag("details", tag("summary", summary), *content, **attributes)


def command(words):
    """A command line; a script adds a button that copies it."""
    return tag("span", tag("code", words), class_="command")
