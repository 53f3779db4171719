"""The pictures of one comparison for the page: small, sharp, and described for screen readers."""
import base64
import io

import picture  # first: it says what is missing where there is no matplotlib
import clocks
import footprint
import setup
import speedup
import timeline_picture
import times
from matplotlib import pyplot
from page.markup import tag
from PIL import Image

_SCRIPTS = {"Speed-up over the reference": speedup, "Wall time of every pass": times,
            "Submit, device and wall time": clocks, "Set-up by phase": setup,
            "Time against footprint": footprint}
CHUNKS = 8  # in the printed timelines
_LEVELS = 15  # of red, green and blue above 0: few enough to compress well, and hues stay


def of_comparison(results, comparison, dpi):
    """The pictures, drawn as for a file with only that comparison."""
    alone = {**results, "comparisons": [comparison]}
    return [_figure(script.draw(alone), f"{title}, {comparison['name']}", dpi)
            for title, script in _SCRIPTS.items()]


def of_timelines(trace, passes, name, dpi):
    """The timeline of the first chunks, for print and for pages without scripts."""
    return _figure(timeline_picture.draw(trace, passes, CHUNKS), f"What ran when, {name}", dpi)


def _figure(drawn, title, dpi):
    width, height = (round(inches * 96) for inches in drawn.get_size_inches())  # a CSS inch
    encoded = base64.b64encode(_webp(drawn, dpi)).decode()
    pyplot.close(drawn)
    return tag("figure", tag("img", src=f"data:image/webp;base64,{encoded}", loading="lazy",
                             alt=f"{title}: a picture of what the tables say", width=width,
                             height=height),
               class_="picture", tabindex=0, role="region", aria_label=title)


def _webp(drawn, dpi):
    raw, packed = io.BytesIO(), io.BytesIO()
    drawn.savefig(raw, format="png", dpi=dpi)
    with Image.open(raw) as image:
        few = image.convert("RGB").point(lambda v: round(round(v / 255 * _LEVELS) * 255 / _LEVELS))
    few.save(packed, "webp", lossless=True)
    return packed.getvalue()
