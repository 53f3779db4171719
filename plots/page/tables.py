"""The tables of times and limits of a comparison, and the overview of all comparisons."""
import results as results_file
import setup
from page import figures
from page.markup import join, table, tag
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


def overview(results):
    """What to use on each preset, one per line."""
    head = ("preset", "use", "speed", "break-even", "memory", "limited by", "to try next")
    return table("What to use", head, [_advised(c) for c in results["comparisons"]], "words")


def _advised(comparison):
    name = tag("a", comparison["name"], href=f"#{anchor(comparison)}")
    advice = comparison.get("advice") or {}
    if not advice.get("use"):
        return [name, "see its verdict"] + [""] * 5
    ratio = advice.get("ratio")
    return [name, advice["use"],
            f"{speed_words(ratio)} × {advice['over']}" if ratio
            else "reference" if advice["use"] == comparison["reference"] else "",
            setup.pays(advice.get("break_even")),
            results_file.size_text(advice["device_bytes"]) if "device_bytes" in advice else "",
            advice.get("limited_by"), figures.sentence(advice.get("next"))]


def anchor(comparison):
    """The unique id of the comparison in the page."""
    words = results_file.label(comparison["workload"])
    return "".join(c if c.isalnum() else "-" for c in words) + f"-{comparison['place']}"


def speed_words(ratio):
    """The ratio is the variant's time over the reference's, so the speed is its inverse."""
    speed, low, high = (figures.speed(1 / ratio[key]) for key in ("estimate", "high", "low"))
    tie = " tie" if ratio["low"] <= 1 <= ratio["high"] else ""
    return f"{speed} [{low}, {high}]{tie}"


def times(comparison, simulated):
    """The table of times, with the bounds if there are any."""
    reference = comparison["reference"] or "a reference"
    head = ("variant", "submit", "device", "wall", "wall p99", f"speed vs {reference} [95%]",
            "bound", "efficiency", "bound by")
    rows = [_times(comparison, m) for m in comparison["measurements"]]
    if not any(any(cells[6:]) for cells, _ in rows):
        head, rows = head[:6], [(cells[:6], kind) for cells, kind in rows]
    return table(f"Medians of one pass in µs{simulated}; * its submit waits for the device", head,
                 rows, "times")


def _times(comparison, m):
    """The cells of a measurement, and the class of its row."""
    name = m["variant"] + (" *" if m.get("plan", {}).get("blocks") else "")
    if m["status"] != "ok":
        said = ": ".join(filter(None, (m["status"], m["message"])))
        return [name, "", "", "", "", said, "", "", ""], None
    clocks = [figures.time(m[clock]["median"]) for clock in CLOCKS]
    against = ("reference" if m["variant"] == comparison["reference"]
               else speed_words(m["ratio"]) if "ratio" in m else "not compared")
    p99 = figures.time(m["wall"]["p99"]) if "p99" in m["wall"] else ""
    return ([name, *clocks, p99, against, *bound(comparison, m)],
            "advised" if m["variant"] == _use(comparison) else None)


def _use(comparison):
    return (comparison.get("advice") or {}).get("use")


def bound(comparison, measurement):
    """"304", "98.0%", "copy out": the bound that applies, the efficiency, and what sets the bound.
    Older files have one bound, for variants that copy chunk by chunk."""
    us, share = measurement.get("bound_us"), measurement.get("efficiency")
    if share is None and "limit" in comparison and _copies_by_chunk(comparison, measurement):
        us = comparison["limit"]["bound_us"]
        share = us / measurement["wall"]["median"]
    return ("" if us is None else figures.time(us), "" if share is None else f"{share:.1%}",
            measurement.get("bound_by"))


def _copies_by_chunk(comparison, measurement):
    plan = measurement.get("plan", {})
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
