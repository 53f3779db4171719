"""The pictures of one comparison for the page."""
import picture  # first: it says what is missing where there is no matplotlib
import clocks
import contenders
import footprint
import setup
import speedup
import timeline_picture
import times
from page.markup import tag

_SCRIPTS = {"Speed-up over the reference": speedup, "Wall time of every pass": times,
            "What the host spends of a pass": clocks, "Set-up by phase": setup,
            "Time against footprint": footprint}
CHUNKS = 8  # in the printed timelines


def of_comparison(sheet, results, comparison):
    """The pictures, drawn as for a file with only that comparison."""
    alone = {**results, "comparisons": [comparison]}
    return [_figure(sheet, script.draw(alone), f"{title}, {comparison['name']}")
            for title, script in _SCRIPTS.items()]


def of_timelines(sheet, trace, passes, name):
    """The timeline of the first chunks, for print and for pages without scripts."""
    return _figure(sheet, timeline_picture.draw(trace, passes, CHUNKS), f"What ran when, {name}")


def of_contenders(sheet, comparisons):
    """The one picture of the first page: a small panel for each comparison."""
    return tag("div", *(_figure(sheet, drawn, f"Speed-up of the contenders, {c['name']}")
                        for c in comparisons if (drawn := contenders.draw(c))),
               class_="contenders")


def _figure(sheet, drawn, title):
    return tag("figure", sheet.svg(drawn, f"{title}: a picture of what the tables say"),
               class_="picture", tabindex=0, role="region", aria_label=title)
