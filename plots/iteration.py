"""Draws where the time of an application's iteration goes: on the GPU, on the host, and along the
critical path."""
import collections
import textwrap

import picture  # first: reports a missing matplotlib
import command_line
import diagnosis as diagnosis_file
import scales
from matplotlib import patches
from plain_text import cut

HINT = ("each bar begins where the one above it ends · number: share of the iteration, time, and "
        "how often · the GPU: what the host, or an order between operations, does while it is "
        "idle")
Row = collections.namedtuple("Row", "name fill us share count")
# Different in lightness and hatch, for prints without colour.
FILLS = {
    "GPU at work": {"facecolor": "#c24f00", "edgecolor": "#6b2b00"},
    "own code": {"facecolor": "#009e73", "edgecolor": "#00513b"},
    "CUDA calls": {"facecolor": "#8c8c8c", "edgecolor": "#333333"},
    "waits": {"facecolor": "#f0f0f0", "edgecolor": "#8c8c8c"},
    "latency and order": {"facecolor": "#ffffff", "edgecolor": "#00517f", "hatch": "/////"},
}
_OF_USE = {"own code": "own code", "waiting": "waits", "launch latency": "latency and order",
           "stream order": "latency and order", "event order": "latency and order",
           "legacy order": "latency and order", "graph order": "latency and order",
           "host function": "latency and order"}
_OF_PART = {"own code": "own code", "host call": "CUDA calls",
            **dict.fromkeys(("kernel", "copy", "memset", "other operation"), "GPU at work")}
_BEFORE = {"order": "order before ", "engine": "engine busy before ",  # a part's name
           "launch latency": "latency of ", "return from a wait": "return from ", "own code": ""}
_MOST_ROWS, _MOST_CHARACTERS = 8, 36
_WIDTH, _LEFT, _RIGHT = 7, 2.35, 1.55  # inches: the figure, and what is beside the axes
_ROW, _PANEL, _FOOT = 0.19, 0.32, 0.72


def draw(found):
    panels = list(_panels(found))
    lines = sum(len(rows) for _, rows in panels)
    hint = textwrap.wrap(HINT, 105)
    head = 0.72 + 0.15 * len(hint)
    height = head + _FOOT + max(1, len(panels)) * _PANEL + _ROW * lines
    figure = picture.blank(_WIDTH, height)
    _label(figure, found, hint, height)
    end = max([found["period_us"], *(sum(row.us for row in rows) for _, rows in panels)])
    top = head
    for place, (title, rows) in enumerate(panels):
        inches = _ROW * len(rows)
        top += _PANEL
        axes = figure.add_axes((_LEFT / _WIDTH, 1 - (top + inches) / height,
                                (_WIDTH - _LEFT - _RIGHT) / _WIDTH, inches / height))
        _draw_panel(axes, title, rows, end, place == len(panels) - 1)
        top += inches
    return figure


def _panels(found):
    """Pairs of a title and its rows, for what is known."""
    period = found["period_us"] or 1
    if device := found.get("device"):
        busy = Row("at work", "GPU at work", device["busy_us"], device["busy_us"] / period, None)
        yield "The GPU, and why it is idle", [busy, *map(_use, device["causes"])]
    if found["host"]:
        yield "The host", [_use(use) for use in found["host"]]
    if found["path"]:
        yield "The critical path", _path(found["path"])


def _use(use):
    return Row(use["use"], _OF_USE.get(use["use"], "CUDA calls"), use["us"], use["share"],
               use["count"])


def _path(parts):
    """The costliest parts, and the others in one row."""
    first = parts[:_MOST_ROWS] if len(parts) > _MOST_ROWS + 1 else parts
    rows = [Row(_named(part), _OF_PART.get(part["kind"], "latency and order"), part["us"],
                part["share"], part["count"]) for part in first]
    if others := parts[len(first):]:
        us, share = (sum(part[key] for part in others) for key in ("us", "share"))
        rows.append(Row(f"{len(others)} other parts", "waits", us, share, None))
    return rows


def _named(part):
    name = part["name"].removeprefix("kernel ")
    return _BEFORE.get(part["kind"], "") + name if name else part["kind"]


def _clipped(name):
    """Names of kernels tell most at their start."""
    return name if len(name) <= _MOST_CHARACTERS else name[:_MOST_CHARACTERS - 1] + "…"


def _draw_panel(axes, title, rows, end, last):
    _, scale = scales.time_unit(end)
    left = 0
    for place, row in enumerate(rows):
        axes.barh(place, row.us / scale, 0.8, left=left / scale, linewidth=0.6, **FILLS[row.fill])
        left += row.us
        often = "" if row.count is None else f" · {row.count:,}×"
        picture.number(axes, place, f"{_percent(row.share)} · {_time(row.us)}{often}")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [_clipped(row.name) for row in rows],
                    size=picture.NUMBER_SIZE)
    axes.tick_params(axis="y", length=0)
    scales.linear(axes, end / scale, room=1)
    axes.tick_params(axis="x", labelbottom=last)
    axes.set_title(title, loc="left", size=9.5, pad=4)
    if last:
        axes.set_xlabel(f"time ({scales.time_unit(end)[0]})")


def _percent(share):
    return f"{100 * share:.{0 if share >= 0.0995 else 1}f}%"


def _time(us):
    unit, scale = scales.time_unit(us)
    return f"{scales.short(us / scale)} {unit}"


def _label(figure, found, hint, height):
    known = found["found"] != "none"
    simulated = ", simulated" if diagnosis_file.simulated(found) else ""
    heading = ("Where an iteration's time goes" if known else
               "Where the time of the last calls goes") + simulated
    what = f"{cut(found['application'], 70)} · {found['calls']:,} calls, " \
           f"{_time(found['period_us'])}"
    for text, top, style in ((heading, 0.12, {"size": 13, "weight": "bold"}),
                             (" · ".join(filter(None, (found["machine"]["gpu"], what))), 0.38,
                              {"size": 8.5}),
                             ("\n".join(hint), 0.62,
                              {"size": picture.NUMBER_SIZE + 0.5, "color": "#555555"})):
        figure.text(0.13 / _WIDTH, 1 - top / height, text, va="top", **style)
    keys = [patches.Patch(label=name, linewidth=0.6, **fill) for name, fill in FILLS.items()]
    figure.legend(handles=keys, loc="lower left", ncol=len(keys), frameon=False, borderaxespad=0,
                  fontsize=picture.NUMBER_SIZE, bbox_to_anchor=(0.13 / _WIDTH, 0.06 / height))


if __name__ == "__main__":
    command_line.main("iteration", __doc__, draw, diagnosis_file.load, "DIAGNOSIS.json",
                      "trilane diagnose --json")
