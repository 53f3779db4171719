"""The first page: the answers, what makes them doubtful, the table of tiers, and one picture."""
import ratios
import results as results_file
import tiers
from page import figures, pictures, tables
from page.markup import Cell, command, join, table, tag

_CHANGES = ("graph", "pool")  # variants with a column of their own


def first(results, sheet):
    comparisons = results["comparisons"]
    simulated = ", simulated" if results_file.simulated(results) else ""
    return tag("section", definitions(answers(results)), doubts(results),
               _tiers(comparisons, simulated), pictures.of_contenders(sheet, comparisons),
               tag("p", "Speed-up by wall time, with the "
                   f"{ratios.kind(simulated)}; scales differ. Hollow: that "
                   "contains 1. Bold: the best of its tier. Lines part the tiers, in the order of "
                   "the table.",
                   class_="hint"),
               made(results["context"].get("command_line")), class_="first")


def made(by):
    """The command that made the file, if it is known."""
    return tag("p", "Made by ", command(by), class_="made") if by else ""


def answers(results):
    """Pairs of a question and the program's answer; for an older file, which has none, of a name
    and its verdict. A replay's verdict comes first, because no answer has all of it."""
    verdicts = [(c["name"], figures.sentence((c["verdict"] or "").removeprefix(f"{c['name']}: ")))
                for c in results["comparisons"]]
    found = [(answer["question"], figures.sentence(answer["text"]))
             for answer in results.get("answers") or ()]
    if results_file.all_replayed(results):
        return [("Faster?", words[:1].upper() + words[1:]) for _, words in verdicts] + found
    return verdicts if results.get("answers") is None else found


def definitions(pairs):
    return tag("dl", *(join((tag("dt", question), tag("dd", said))) for question, said in pairs),
               class_="answers") if pairs else ""


def doubts(results):
    found = results.get("doubts")
    return tag("ul", *(tag("li", figures.sentence(doubt)) for doubt in found),
               class_="doubts", aria_label="What makes the figures doubtful") if found else ""


def _tiers(comparisons, simulated):
    """A row for each comparison. Older files name no winners of tiers, but the advised variant."""
    decided = any(tiers.winners(c) for c in comparisons)
    timed = {m["variant"] for c in comparisons for m in c["measurements"] if m["status"] == "ok"}
    changes = [variant for variant in _CHANGES if variant in timed]
    references = {c["reference"] for c in comparisons}
    base = references.pop() if len(references) == 1 else ""
    best = tiers.TIERS if decided else ["advised"]
    head = ("preset", f"{base or 'reference'}, µs", *changes, *best, "bound, µs")
    rows = [[tables.link(c), _wall(c), *(_change(c, variant) for variant in changes),
             *([_winner(c, tier) for tier in tiers.TIERS] if decided else [_advised(c)]),
             _bound(c)] for c in comparisons]
    caption = f"Speed over {base or 'the reference'}{simulated}" + (
        ", and the best variant of each tier, which is how far a program must change; bold: advised"
        if decided else "")
    return table(caption, head, rows, "tiers")


def _wall(comparison):
    found = _timed(comparison, comparison["reference"])
    return tables.microseconds(found["wall"]["mean"]) if found else ""


def _timed(comparison, variant):
    return next((m for m in comparison["measurements"]
                 if m["variant"] == variant and m["status"] == "ok"), None)


def _change(comparison, variant):
    found = _timed(comparison, variant)
    if not found:
        return ""
    if variant == comparison["reference"]:
        return "reference"
    return _speed("", found.get("ratio"))


def _speed(name, ratio):
    """"graph 3.376 ×": the picture below has the interval. Sorted by the speed."""
    if not ratio:
        return Cell(join((name, "" if name else "not compared")), None)
    speed = ratios.speed(ratio)
    remark = tag("small", f" {ratios.remark(ratio)}") if ratios.remark(ratio) else ""
    return Cell(join((name, " " * bool(name), f"{figures.speed(speed)} ×", remark)), speed)


def _winner(comparison, tier):
    winner = tiers.winners(comparison).get(tier)
    if not winner:
        return ""
    advised = winner["variant"] == (comparison.get("advice") or {}).get("use")
    name = tag("b", winner["variant"]) if advised else winner["variant"]
    if winner["variant"] == comparison["reference"]:
        cell = Cell(name, 1)
    else:
        cell = _speed(name, winner.get("ratio"))
    tied = winner["tied"]
    said = tag("small", f"ties: {', '.join(tied)}", class_="ties") if tied else ""
    return Cell(join((cell.shown, said)), cell.value)


def _advised(comparison):
    advice = comparison.get("advice") or {}
    return _speed(tag("b", advice["use"]), advice.get("ratio")) if advice.get("use") else ""


def _bound(comparison):
    limit = comparison.get("limit")
    if not limit:
        return ""
    us = figures.time(limit["bound_us"])
    return Cell(join((us, " ", tag("small", limit.get("bound_by")))), limit["bound_us"])
