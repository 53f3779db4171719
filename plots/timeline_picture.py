"""Draws the timelines of a comparison: the first chunks of its passes, one below the other."""
import textwrap

import picture  # first: reports a missing matplotlib
import scales
import timeline_window
import trace_shape
from matplotlib import patches

HINT = ("the traced pass with the median time between the events around it, beside the name · "
        "0: the host begins to submit · left out: two marker memsets around the pass, and waiting "
        "for the second one")
RECORDED = ("an iteration as it was recorded; beside the name: how long it takes, the median of "
            "all · 0: its first call begins · rows: the host and the application's streams · times "
            "on the GPU: from repetitions that recording them may have slowed down")
ROW_INCHES = 0.125
_INCHES_PER_CHARACTER = 0.06  # width of a chunk number's character
_INCHES_BESIDE = 0.1  # on each side of the number, so that the hatch of the bar shows
WIDTH, _LEFT, _RIGHT = 7, 0.9, 0.15  # inches: the figure, and what is beside the axes
# Different in lightness and hatch, for prints without colour.
FILLS = {
    "host call": {"facecolor": "#8c8c8c", "edgecolor": "#333333"},
    "host waits": {"facecolor": "#f0f0f0", "edgecolor": "#8c8c8c"},
    "copy in": {"facecolor": "#b3d9f0", "edgecolor": "#00517f", "hatch": "/////"},
    "memset": {"facecolor": "#ffe08a", "edgecolor": "#7a5400"},
    "kernel": {"facecolor": "#c24f00", "edgecolor": "#6b2b00"},
    "copy out": {"facecolor": "#ffffff", "edgecolor": "#00517f", "hatch": "\\\\\\\\\\"},
}


def draw(trace, passes, chunks):
    """A figure of the passes of one comparison up to the end of the first `chunks` chunks."""
    whole = timeline_window.horizon(passes, chunks)
    passes = [timeline_window.window(found, whole) for found in passes]
    until = timeline_window.horizon(passes, chunks)
    lines, rows = _lines(passes, until)
    numbers = any(_fits(o, until) for found in passes for o in found.operations)
    said = RECORDED if passes[0].recorded else HINT
    hint = textwrap.wrap(said + " · numbers: chunks" * numbers, 105)
    head, foot = 0.7 + 0.15 * len(hint), 0.62
    height = head + foot + rows * ROW_INCHES
    figure = picture.blank(WIDTH, height)
    axes = figure.add_axes((_LEFT / WIDTH, foot / height, (WIDTH - _LEFT - _RIGHT) / WIDTH,
                            1 - (head + foot) / height))
    unit, scale = scales.time_unit(until)
    for y, found, row in lines:
        if row is None:
            axes.text(0, y, f"{found.variant} · {_time(found.event_us)}{_start(found)}",
                      weight="bold", va="center", size=picture.NUMBER_SIZE,
                      transform=axes.get_yaxis_transform())
        else:
            _draw_row(axes, y, found, row, until, scale)
    axes.set_ylim(rows, 0)
    # Further rows of a track are below its first one, so "row 2" is enough.
    named = {y: row.split(", ")[-1] for y, _, row in lines if row}
    axes.set_yticks(list(named), named.values(), size=picture.NUMBER_SIZE)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    scales.linear(axes, until / scale, room=1)
    axes.set_xlabel(f"time ({unit})")
    _label(figure, trace, trace.names()[passes[0].comparison], hint, height)
    return figure


def _lines(passes, until):
    """A list of (middle, pass, row), with None as the row of a heading, and the height in rows.
    Rows without anything before `until` are left out."""
    lines, high = [], 0
    for found in passes:
        lines.append((high + 0.85, found, None))
        high += 1.4
        for items, attribute in ((found.calls, "row"), (found.operations, "lane_row")):
            for row in found.rows_of([i for i in items if i.start < until], attribute):
                lines.append((high + 0.5, found, row))
                high += 1
    return lines, high + 0.3


def _time(microseconds):
    unit, scale = scales.time_unit(microseconds)
    return f"{scales.short(microseconds / scale)} {unit}"


def _start(found):
    if not found.starts_at:
        return ""
    calls = f"{found.calls_before:,} call{'s' * (found.calls_before != 1)}"
    return f" · from {_time(found.starts_at)} on, after {calls}"


def _draw_row(axes, y, found, row, until, scale):
    for kind, waits in (("host call", False), ("host waits", True)):
        _bars(axes, y, [c for c in found.calls if c.row == row and c.start < until
                        and c.waits == waits], kind, until, scale)
    shown = [o for o in found.operations if o.lane_row == row and o.start < until]
    for activity in trace_shape.ACTIVITIES:
        _bars(axes, y, [o for o in shown if o.activity == activity], activity, until, scale)
    for operation in shown:
        if _fits(operation, until):
            axes.text((operation.start + min(operation.end, until)) / 2 / scale, y,
                      operation.chunk, size=picture.NUMBER_SIZE - 1, ha="center",
                      va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4})


def _fits(operation, until):
    """Returns true if the chunk number fits into the operation's bar on an axis that ends at
    `until`."""
    inches = (WIDTH - _LEFT - _RIGHT) * (min(operation.end, until) - operation.start) / until
    return operation.chunk is not None and inches > 2 * _INCHES_BESIDE + (
        _INCHES_PER_CHARACTER * len(str(operation.chunk)))


def _bars(axes, y, items, kind, until, scale):
    spans = [(item.start / scale, (min(item.start + item.duration, until) - item.start) / scale)
             for item in items]
    axes.broken_barh(spans, (y - 0.4, 0.8), linewidth=0.35, **FILLS[kind])


def _label(figure, trace, name, hint, height):
    machine = f"simulated, {trace.simulated}" if trace.simulated else trace.gpu
    heading = f"{name}: what ran when" + (", simulated" if trace.simulated else "")
    for text, top, style in ((heading, 0.12, {"size": 13, "weight": "bold"}),
                             (machine, 0.38, {"size": 9.5}),
                             ("\n".join(hint), 0.62,
                              {"size": picture.NUMBER_SIZE + 0.5, "color": "#555555"})):
        figure.text(0.13 / WIDTH, 1 - top / height, text, va="top", **style)
    keys = [patches.Patch(label=kind, linewidth=0.6, **fill) for kind, fill in FILLS.items()]
    figure.legend(handles=keys, loc="lower left", ncol=len(keys), frameon=False, borderaxespad=0,
                  fontsize=picture.NUMBER_SIZE, bbox_to_anchor=(0.13 / WIDTH, 0.06 / height))
