"""Turns drawn figures into SVG within the page: small, searchable, and in the page's colours, which
follow dark mode."""
import colorsys
import io
import re
import xml.etree.ElementTree

from matplotlib import pyplot
from page.markup import Raw, join, tag

GROUND, INK = "#14171b", "#e4e7ea"  # of the dark page, as in parts/page.css
_LEAST_CONTRAST = 3.2  # with the dark ground; WCAG asks for 3 for anything but text
_FONT = "'DejaVu Sans', Verdana, sans-serif"
_NUMBER = re.compile(r"-?\d+\.\d+")
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_KEPT = ("d", "x", "y", "width", "height", "viewBox", "transform", "clip-path", "href",
         "patternUnits", "preserveAspectRatio")
_STYLES = ("style", "fill", "stroke", "opacity")


class Sheet:
    """Holds what the drawings of one page share: classes for styles, colours, and definitions."""

    def __init__(self):
        self._classes, self._colours, self._defined = {}, set(), {}

    def svg(self, figure, title):
        """The figure, which is closed, as an element that a screen reader calls `title`."""
        written = io.BytesIO()
        for axes in figure.axes:
            axes.set_facecolor("none")
        # Without a ground, so that the shadow of scrollable content shows through.
        figure.savefig(written, format="svg", metadata={"Date": None}, facecolor="none")
        pyplot.close(figure)
        root = xml.etree.ElementTree.fromstring(written.getvalue())
        inside = join(_joined(self._elements(root)))
        return tag("svg", inside, viewBox=root.get("viewBox"), role="img", aria_label=title,
                   width=round(96 / 72 * float(root.get("viewBox").split()[2])))

    def definitions(self):
        """The element that holds what drawings refer to, for the start of the page."""
        return tag("svg", tag("defs", *self._defined.values()), class_="definitions",
                   aria_hidden="true")

    def css(self):
        """The rules for all drawings so far."""
        classes = "".join(f".{name}{{{style}}}\n" for style, name in self._classes.items())
        light, dark = ("".join(f"--k{colour[1:]}:{shown(colour)};" for colour in
                               sorted(self._colours)) for shown in (str, on_dark))
        return Raw(f".picture,.definitions{{{light}}}\n@media screen and (prefers-color-scheme: "
                   f"dark){{.picture,.definitions{{{dark}}}}}\n{classes}")

    def _elements(self, parent):
        """Triples of tag, attributes and content, without groups that change nothing."""
        for node in parent:
            name = node.tag.rpartition("}")[2]
            if name in ("metadata", "style"):
                continue
            content = list(self._elements(node))
            if name == "defs":
                continue
            attributes = self._attributes(node)
            if name in ("clipPath", "pattern") or node.get("id") and name == "path":
                inside = join(_joined(content))
                self._defined[node.get("id")] = _tag(name, {"id": node.get("id"), **attributes},
                                                     inside)
            elif name == "g" and not attributes:
                yield from content
            elif name == "text":
                yield name, attributes, Raw(join([node.text]))
            else:
                yield name, attributes, join(_joined(content))

    def _attributes(self, node):
        found = {}
        for key, value in node.items():
            key = key.rpartition("}")[2]
            if key in _KEPT and not value.startswith("rotate(-0 "):
                found[key] = (value if key == "href" else
                              _NUMBER.sub(_short, " ".join(value.split())))
        style = ";".join(node.get(key) if key == "style" else f"{key}:{node.get(key)}"
                         for key in _STYLES if node.get(key))
        if style:
            found["class"] = self._class_of(style)
        return found

    def _class_of(self, style):
        style = re.sub(r"(px) '[^;]*sans-serif", rf"\1 {_FONT}", style).replace(": ", ":")
        style = style.replace("; ", ";")
        self._colours.update(_COLOUR.findall(style))
        style = _COLOUR.sub(lambda colour: f"var(--k{colour[0][1:]})", style)
        return self._classes.setdefault(style, f"p{len(self._classes)}")


def on_dark(colour):
    """The colour for the dark page: greys change places with their opposites, and colours get as
    light as it takes to be seen."""
    red, green, blue = channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    if max(channels) - min(channels) < 0.06:
        part = sum(channels) / 3
        ends = [[int(end[at:at + 2], 16) for at in (1, 3, 5)] for end in (INK, GROUND)]
        return "#" + "".join(f"{round(ink + part * (ground - ink)):02x}"
                             for ink, ground in zip(*ends))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    while contrast(colour, GROUND) < _LEAST_CONTRAST:
        light += 0.02
        colour = "#" + "".join(f"{round(255 * channel):02x}" for channel in
                               colorsys.hls_to_rgb(hue, light, saturation))
    return colour


def contrast(one, other):
    """The contrast of two colours by WCAG 2.1, from 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return sum(weight * (channel / 12.92 if channel <= 0.04045 else
                         ((channel + 0.055) / 1.055) ** 2.4)
               for weight, channel in zip((0.2126, 0.7152, 0.0722), channels))


def _short(number):
    return f"{float(number[0]):.1f}".removesuffix(".0").replace("-0.0", "0")


def _joined(elements):
    """The elements as text; neighbouring paths of one look become one path."""
    done = []
    for name, attributes, inside in elements:
        before = done[-1] if done else (None, {}, None)
        look = {key: value for key, value in attributes.items() if key != "d"}
        if name == before[0] == "path" and look == {
                key: value for key, value in before[1].items() if key != "d"}:
            before[1]["d"] += " " + attributes["d"]
        else:
            done.append((name, dict(attributes), inside))
    return [_tag(*element) for element in done]


def _tag(name, attributes, inside):
    return tag(name, inside, **{key.replace("-", "_") + "_" * (key == "class"): value
                                for key, value in attributes.items()})
