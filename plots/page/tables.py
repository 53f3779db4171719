"""The tables of times and limits of a comparison, and of the advice on all."""
import ratios
import results as results_file
import setup
import tiers
from page import figures
from page.markup import Cell, join, table, tag
from results_check import CLOCKS

_LIMIT = {  # names of fields that need more words
    "in_gbps": "copy in, alone", "out_gbps": "copy out, alone",
    "duplex_in_gbps": "copy in, both ways at once",
    "duplex_out_gbps": "copy out, both ways at once", "copy_in_us": "a chunk: copy in",
    "clear_us": "a chunk: memset", "kernels_us": "a chunk: kernels",
    "copy_out_us": "a chunk: copy out", "steady_in_us": "one more chunk: copy in",
    "steady_work_us": "one more chunk: memset, kernels",
    "steady_out_us": "one more chunk: copy out",
    "bound_us": "a pass, chunk by chunk, overlapping",
    "serial_us": "a pass, all stages in turn",
    "one_engine_us": "a pass, with one copy engine for both ways", "bound_by": "bound by",
    "copies_in": "a copy in", "copies_out": "a copy out",
    "best": "best number of chunks, by the formula",
}


def advice(results):
    """Returns what is advised on each preset, one per line, in the program's words."""
    head = ("preset", "use", "speed", "break-even", "memory", "limited by", "to try next")
    return table("What to use", head, [_advised(c) for c in results["comparisons"]], "words")


def _advised(comparison):
    found = comparison.get("advice") or {}
    if not found.get("use"):
        return [link(comparison), "see its verdict"] + [""] * 5
    ratio = found.get("ratio")
    return [link(comparison), found["use"],
            Cell(f"{speed_words(ratio)} × {found['over']}", ratios.speed(ratio)) if ratio
            else "reference" if found["use"] == comparison["reference"] else "",
            setup.pays(found.get("break_even")), size(found.get("device_bytes")),
            found.get("limited_by"), figures.sentence(found.get("next"))]


def link(comparison):
    """Its name, which leads to its section."""
    return tag("a", comparison["name"], href=f"#{anchor(comparison)}")


def anchor(comparison):
    """The unique id of the comparison in the page."""
    words = results_file.label(comparison["workload"])
    return "".join(c if c.isalnum() else "-" for c in words) + f"-{comparison['place']}"


def microseconds(us):
    """A time as a cell of a table."""
    return Cell(figures.time(us), us)


def size(held):
    """A number of bytes as a cell of a table; empty if it is not known."""
    return "" if held is None else Cell(results_file.size_text(held), held)


def range_kind(simulated):
    """"95%" or "model's error", for the head of a column."""
    return ratios.kind(simulated).removesuffix(" interval")


def speed_words(ratio):
    """"2.000 [1.818, 2.222]", "1.010 [0.990, 1.031] tie"."""
    words = figures.speed(ratios.speed(ratio))
    if bounds := ratios.bounds(ratio):
        words += " [" + ", ".join(map(figures.speed, bounds)) + "]"
    return f"{words} {ratios.remark(ratio)}".strip()


def times(comparison, simulated):
    """The table of times by tier, with the bounds if there are any."""
    reference = comparison["reference"] or "a reference"
    replayed = results_file.replayed(comparison["workload"])
    head = ("candidate" if replayed else "variant", "submit", "device", "wall", "wall p99",
            f"speed vs {reference} [{range_kind(simulated)}]", "bound", "efficiency", "bound by")
    groups = [(tier or "of no known tier", [_times(comparison, m) for m in members])
              for tier, members in tiers.groups(comparison)]
    if not any(any(cells[6:]) for _, rows in groups for cells, _ in rows):
        head = head[:6]
        groups = [(tier, [(cells[:6], kind) for cells, kind in rows]) for tier, rows in groups]
    if replayed:  # all have one tier, and the time to submit excludes waits
        return table(f"Means of one iteration in µs{simulated}; submit: the host's calls without "
                     "its waits", head, [row for _, rows in groups for row in rows], "times")
    return table(f"Means of one pass in µs{simulated}; * its submit waits for the device", head,
                 (), "times", groups)


def _times(comparison, m):
    """The cells of a measurement, and the class of its row."""
    blocks = m.get("plan", {}).get("blocks")
    name = m["variant"] + (" *" if blocks and not results_file.replayed(comparison["workload"])
                           else "")
    if m["status"] != "ok":
        said = ": ".join(filter(None, (m["status"], m["message"])))
        return [name, "", "", "", "", said, "", "", ""], None
    clocks = [microseconds(m[clock]["mean"]) for clock in CLOCKS]
    ratio = m.get("ratio")
    against = ("reference" if m["variant"] == comparison["reference"] else
               Cell(speed_words(ratio) + " bound" * tiers.is_bound(m), ratios.speed(ratio)) if ratio
               else "not compared")
    p99 = microseconds(m["wall"]["p99"]) if "p99" in m["wall"] else ""
    kinds = (["advised"] * (m["variant"] == _use(comparison))
             + ["best"] * (m["variant"] in {w["variant"] for w in
                                            tiers.winners(comparison).values()}))
    return [name, *clocks, p99, against, *bound(comparison, m)], " ".join(kinds) or None


def _use(comparison):
    return (comparison.get("advice") or {}).get("use")


def bound(comparison, measurement):
    """"304", "98.0%", "copy out": the bound that applies, the efficiency, and what sets the bound.
    Older files have one bound, for variants that copy chunk by chunk."""
    us, share = measurement.get("bound_us"), measurement.get("efficiency")
    if share is None and "limit" in comparison and _copies_by_chunk(comparison, measurement):
        us = comparison["limit"]["bound_us"]
        share = us / measurement["wall"]["mean"]
    return ("" if us is None else microseconds(us),
            "" if share is None else Cell(f"{share:.1%}", share), measurement.get("bound_by"))


def _copies_by_chunk(comparison, measurement):
    plan = measurement.get("plan", {})
    if results_file.replayed(comparison["workload"]):
        return False
    copies = (plan.get("calls", {}).get("cudaMemcpyAsync", 0)
              + plan.get("nodes", {}).get("memcpy nodes", 0))
    return copies >= 2 * comparison["workload"]["chunks"]


def limit(comparison, simulated):
    """The limit that was measured in the same run."""
    if not comparison.get("limit"):
        return ""
    facts = [tag("div", tag("dt", name), tag("dd", shown))
             for key, value in comparison["limit"].items() for name, shown in _facts(key, value)]
    return join((tag("p", f"Measured in the same run, on its buffers{simulated}."),
                 tag("dl", *facts, class_="facts")))


def _facts(key, value):
    """Names and values of a field, which may be a number, a text, or a record."""
    if key == "calls_us":
        return [(f"host: {name}", f"{figures.time(us)} µs") for name, us in value.items()]
    name, shown = figures.labelled(key, value)
    if isinstance(value, dict):
        shown = ", ".join(" ".join(map(str, figures.labelled(*field))) for field in value.items())
    return [(_LIMIT.get(key, name), shown)]
