"""Builds HTML. All text from files is escaped here."""
import html

_VOID = ("img", "input")  # elements without an end tag
_OPEN = ("td", "th", "tr")  # the end tag is optional, and tables are most of a page


class Raw(str):
    """HTML that needs no escaping."""


def text(value):
    """`value` as HTML; None becomes empty."""
    if isinstance(value, Raw):
        return value
    return Raw(html.escape("" if value is None else str(value)))


def tag(name, /, *content, **attributes):
    """An element. Use class_ for class, and True for an attribute without a value."""
    words = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
        elif value is not None:
            words.append(f'{key}="{html.escape(str(value))}"')
    inside = "" if name in _VOID else join(content)
    end = "" if name in (*_VOID, *_OPEN) else f"</{name}>"
    return Raw(f"<{' '.join(words)}>{inside}{end}")


def join(parts):
    return Raw("".join(map(text, parts)))


def table(caption, head, rows, class_=None):
    """A table that scrolls if it is too wide, also by keyboard. The first column names the row. A
    row may be a pair of its cells and its class."""
    lines = []
    for row in rows:
        cells, kind = row if isinstance(row, tuple) else (row, None)
        lines.append(tag("tr", tag("th", cells[0], scope="row"),
                         *(tag("td", cell) for cell in cells[1:]),
                         class_=kind))
    top = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head))) if head else ""
    return tag("figure", tag("figcaption", caption),
               tag("table", top, tag("tbody", *lines), class_=class_), class_="scroll", tabindex=0,
               role="region", aria_label=caption)


def details(summary, *content):
    return tag("details", tag("summary", summary), *content)
