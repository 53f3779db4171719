"""The pictures of one comparison for the page."""
import picture  # first: reports a missing matplotlib
import clocks
import contenders
import footprint
import results as results_file
import setup
import speedup
import timeline_picture
import times
from page.markup import tag

_SCRIPTS = {"Speed-up over the reference": speedup, "Wall times": times,
            "What the host spends": clocks}
_PRICED = {"Set-up by phase": setup, "Time against footprint": footprint}
CHUNKS = 8  # in the printed timelines


def of_comparison(sheet, results, comparison):
    """The pictures, drawn as for a file with only that comparison. A replay has no set-up and no
    footprint to show."""
    alone = {**results, "comparisons": [comparison]}
    priced = any(setup.priced(m) for m in comparison["measurements"])
    scripts = _SCRIPTS | (_PRICED if priced or not results_file.all_replayed(alone) else {})
    return [figure(sheet, script.draw(alone), f"{title}, {comparison['name']}")
            for title, script in scripts.items()]


def of_timelines(sheet, trace, passes, name):
    """The timeline of the first chunks, for print and for pages without scripts."""
    return figure(sheet, timeline_picture.draw(trace, passes, CHUNKS), f"What ran when, {name}")


def of_contenders(sheet, comparisons):
    """The one picture of the first page: a small panel for each comparison."""
    return tag("div", *(figure(sheet, drawn, f"Speed-up of the contenders, {c['name']}")
                        for c in comparisons if (drawn := contenders.draw(c))),
               class_="contenders")


def figure(sheet, drawn, title):
    """The drawn figure as an element of the page."""
    return tag("figure", sheet.svg(drawn, f"{title}: a picture of what the tables say"),
               class_="picture", tabindex=0, role="region", aria_label=title)
