"""Cards of traced variants: overlap, engines and waits."""
import statistics

from page import figures
from page.markup import details, join, table, tag

_IDLE = ("host", "dependency", "latency", "done")
_WAITS = {"host": "host", "engine": "engine", "dependency": "stream order",
          "latency": "latency"}  # cause to its name in the terminal


def cards(comparison, chosen, simulated):
    """The cards of the chosen variants; the others can be unfolded."""
    traced = [m for m in comparison["measurements"] if m.get("timeline")]
    first = [card(m, simulated) for m in traced if m["variant"] in chosen]
    others = [card(m, simulated) for m in traced if m["variant"] not in chosen]
    unfold = details(f"{len(others)} more variants", tag("div", *others, class_="cards")) \
        if others else ""
    return join((tag("div", *first, class_="cards"), unfold)) if traced else ""


def card(measurement, simulated):
    timeline = measurement["timeline"]
    return tag("article", tag("h4", measurement["variant"]), tag("p", _passes(timeline)),
               _matrix(timeline, simulated), _engines(timeline, simulated),
               _waits(timeline, simulated), class_="card")


def _passes(timeline):
    before, span, after, event = (
        figures.time(statistics.median(timeline[key]))
        for key in ("before_us", "span_us", "after_us", "event_us"))
    as_planned = timeline["operations"] == timeline["planned"]
    plan = "as planned" if as_planned else f"planned were {_counts(timeline['planned'])}"
    return (f"{event} µs between the events, {before} of them before the first operation, {span} "
            f"to the end of the last one, {after} after it (medians of {len(timeline['event_us'])} "
            f"passes){_added(timeline)}. Operations: {_counts(timeline['operations'])}; {plan}.")


def _added(timeline):
    """Returns what tracing adds to the time between the events, if the file tells."""
    untraced = statistics.median(timeline.get("untraced_us") or [0])
    if untraced <= 0:
        return ""
    share = statistics.median(timeline["event_us"]) / untraced - 1
    return f"; tracing adds {round(100 * share):+d}% to it".replace("-", "−")


def _counts(counts):
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _matrix(timeline, simulated):
    share = {(pair["of"], pair["with"]): pair["share"] for pair in timeline["overlap"]}
    kinds = list(dict.fromkeys(name for pair in share for name in pair))
    rows = [[of, *(_cell(share.get((of, other))) for other in kinds)] for of in kinds]
    return kinds and table("Overlap: the share of the time of a row's operations during which one "
                           f"of the column ran on another lane{simulated}", ("", *kinds), rows,
                           "matrix")


def _cell(share):
    """A share as text; larger shares have a darker ground."""
    if share is None:
        return tag("span", "–")
    return tag("span", figures.percent(share), style=f"--share:{min(max(share, 0), 1):.2f}")


def _engines(timeline, simulated):
    idle = {entry["engine"]: entry for entry in timeline["idle"]}
    rows = [[busy["engine"], figures.time(busy["us"]), figures.percent(busy["share"]),
             *(figures.time(idle.get(busy["engine"], {}).get(f"{cause}_us", 0))
               for cause in _IDLE)] for busy in timeline["busy"]]
    caption = (f"Engines, µs{simulated}: busy, its share of the span, idle by cause (done: after "
               "the last)")
    return rows and table(caption, ("engine", "busy", "share", *_IDLE), rows, "times")


def _waits(timeline, simulated):
    causes = [cause for cause in _WAITS
              if any(f"{cause}_us" in entry for entry in timeline["waits"])]
    rows = [[entry["activity"], *(figures.time(entry.get(f"{cause}_us", 0)) for cause in causes)]
            for entry in timeline["waits"]]
    what = " (stream order: the one before them on their stream)" if "dependency" in causes else ""
    return rows and table(f"What operations waited for, µs in all{simulated}{what}",
                          ("operation", *(_WAITS[cause] for cause in causes)), rows, "times")
