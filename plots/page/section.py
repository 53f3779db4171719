"""The section of the page on one comparison, and that on the context."""
import shlex

import results as results_file
from page import figures, overlap, packing, pictures, prices, tables
from page.markup import Raw, command, details, join, tag, table

_BUTTONS = (("out", "−", "zoom out"), ("in", "+", "zoom in"), ("left", "←", "earlier"),
            ("right", "→", "later"), ("chunks", "first chunks", "the first chunks"),
            ("all", "whole pass", "the whole pass"))
_KEYS = ("Keys: + and − zoom, ← and → move, 0 shows the whole pass, Shift with an arrow selects "
         "the next call or operation, Esc deselects.")
_ACTIVITIES = ("host call", "host waits", "copy in", "memset", "kernel", "copy out")


def chosen(comparison):
    """The variants that are shown first: the main ones and the advised one."""
    advised = (comparison.get("advice") or {}).get("use")
    wanted = (comparison["reference"], "streams", "graph", "pool", advised)
    return [m["variant"] for m in comparison["measurements"]
            if m["status"] == "ok" and m["variant"] in wanted]


def section(results, comparison, trace, drawn, most):
    """Closed at first. `drawn`: the pictures and the printed timeline or ""; `most`: operations
    per pass."""
    simulated = ", simulated" if results_file.simulated(results) else ""
    workload = comparison["workload"]
    name, shape = comparison["name"], results_file.shape(workload)
    passes = passes_of(trace, comparison)
    shown, printed = drawn
    heading = tag("h2", name, tag("small", "simulated", class_="badge") if simulated else "")
    return details(
        join((heading, tag("span", shape, class_="shape") if name == results_file.label(workload)
              else "")),
        # The id is within, so that a link to it opens what it is in.
        tag("div",
            tag("p", figures.sentence(comparison["verdict"]), class_="verdict"),
            tag("p", f"Regime: {figures.sentence(comparison['regime'])}.")
            if comparison.get("regime") else "",
            _again(results, comparison),
            tables.times(comparison, simulated),
            _part("Timelines", _timelines(comparison, passes, simulated, most), class_="screen")
            if passes else "",
            tag("div", printed, class_="printed") if printed else "",
            _part("Overlap, engines and waits", overlap.cards(comparison, chosen(comparison),
                                                              simulated)),
            _part("Set-up and memory", prices.prices(comparison, simulated), class_="always"),
            _part("Limit", tables.limit(comparison, simulated)),
            _part("Pictures", tag("div", *shown, class_="pictures")),
            id=tables.anchor(comparison)),
        class_="preset always")


def _again(results, comparison):
    """Commands that measure this again, and that print more of it from the results file."""
    workload = comparison["workload"]
    program = "trilane-sim" if results_file.simulated(results) else "trilane"
    found = [("All its figures in a terminal:", [program, "show", results["file"],
                                                 workload["name"], "--all"])]
    if results_file.label(workload) == workload["name"] != "custom":  # a preset as it is
        found.insert(0, ("Alone:", [program, "run", "--preset", workload["name"]]))
    return tag("p", *(part for words, line in found
                      for part in (f"{words} ", command(shlex.join(line)), " ")), class_="again")


def passes_of(trace, comparison):
    """The traced passes of a comparison, in the order of its variants."""
    order = [m["variant"] for m in comparison["measurements"]]
    found = [p for p in (trace.passes if trace else ())
             if p.comparison == comparison["place"] and p.variant in order]
    return sorted(found, key=lambda p: order.index(p.variant))


def _part(heading, content, **attributes):
    """Closed at first. Paper has only what is `always` there, and what is open."""
    return details(tag("h3", heading), content, **attributes) if content else ""


def _timelines(comparison, passes, simulated, most):
    first = chosen(comparison)
    boxes = [tag("label", tag("input", type="checkbox", value=p.variant,
                              checked=p.variant in first or None), p.variant) for p in passes]
    views = [tag("label", tag("input", type="radio", name=f"rows-{comparison['place']}",
                              value=view, checked=view == "engines" or None), view)
             for view in ("engines", "lanes", "both")]
    buttons = [tag("button", sign, type="button", data_do=do, aria_label=words, title=words)
               for do, sign, words in _BUTTONS]
    keys = [tag("li", tag("i", data_fill=activity), activity) for activity in _ACTIVITIES]
    return tag(
        "div", tag("p", "The traced pass with the median time of each variant, on one "
                        f"axis{simulated}. Beside the name: the time between the events around it. "
                        "0: the host begins to submit. Left out: two marker memsets around the "
                        "pass, and waiting for the second one."),
        details("Variants", tag("fieldset", tag("legend", "Variants to show"), *boxes,
                                class_="variants")),
        tag("div", tag("fieldset", tag("legend", "Rows"), *views),
            tag("div", *buttons, class_="buttons"), tag("output", class_="range"),
            class_="controls"),
        tag("ul", *keys, class_="legend"),
        tag("div", tag("div", class_="axis"),
            tag("canvas", tabindex=0, role="application",
                aria_label=f"Timelines of {comparison['name']}{simulated}. {_KEYS}"),
            tag("div", class_="tip", hidden=True), class_="stage"),
        tag("p", class_="spoken", aria_live="polite"),
        tag("p", "Drag to move, pinch to zoom; the wheel zooms after a click, or with Ctrl. "
            f"{_KEYS}", class_="hint"),
        tag("script", Raw(packing.pack(passes, most)), type="text/plain"),
        class_="timeline")


def context(results):
    """Everything that the file says about where, when and how the run was made."""
    record = results["context"]
    notes = [tag("p", f"Note: {note}") for note in record.get("notes") or ()]
    return details(tag("h2", "Context"),
                   tag("div", *notes, table("Everything that was recorded", None,
                                            list(_flat("", record)), "fields"), id="context"),
                   class_="always")


def _flat(prefix, record):
    for key, value in record.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, dict):
            yield from _flat(f"{name}: ", value)
        elif value not in ("", [], None):
            yield [name, ", ".join(map(str, value)) if isinstance(value, list) else value]
