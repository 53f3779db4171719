"""The section of the page on one comparison, and that on the context."""
import shlex

import results as results_file
from page import figures, overlap, pictures, prices, tables, timelines
from page.markup import command, details, join, tag, table


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
    replayed = results_file.replayed(workload)
    passes = passes_of(trace, comparison)
    shown, printed = drawn
    heading = tag("h2", "Replay" if replayed else name,
                  tag("small", "simulated", class_="badge") if simulated else "")
    return details(
        join((heading, tag("span", shape, class_="shape") if name == results_file.label(workload)
              else "")),
        # The id is inside, so that a link to it opens what contains it.
        tag("div",
            tag("p", figures.sentence(comparison["verdict"]), class_="verdict"),
            tag("p", f"Regime: {figures.sentence(comparison['regime'])}.")
            if comparison.get("regime") else "",
            _again(results, comparison),
            tables.times(comparison, simulated),
            _part("Timelines", timelines.of_comparison(comparison, passes, chosen(comparison),
                                                       simulated, most), class_="screen")
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
    shown = [] if results_file.replayed(workload) else [workload["name"]]
    found = [("All its figures in a terminal:", [program, "show", results["file"], *shown,
                                                 "--all"])]
    own = shown and workload["name"] != "custom"
    if own and results_file.label(workload) == workload["name"]:  # an unmodified preset
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
