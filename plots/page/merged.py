"""The page of many runs: the judgement of trilane merge or trilane history, with its picture."""
import fleet
import history
import input_file
from page import first, pictures
from page.markup import Cell, details, join, table, tag

_MOST = 1000  # rows of a table
_FIGURES = 6


def load(path):
    """The fleet or the history in the file at `path`; raises InputError."""
    kinds = {"trilane-history": history.load, "trilane-fleet": fleet.load}
    start = input_file.content(path, "name a file of trilane merge, fleet or history",
                               before=b'\n  "verdict"')
    return next((read for name, read in kinds.items() if name.encode() in start),
                fleet.load)(path)


def parts(found, path, sheet):
    """Returns what a page of many runs has where others have their answers and sections."""
    many = "machines" in found
    drawn = (fleet if many else history).draw(found)
    title = f"{len(found['machines'])} GPUs" if many else f"{len(found['commits'])} commits"
    tables = (*map(_workload, found["workloads"]), _settings(found)) if many else ()
    return {"title": f"Trilane: {title}", "machine": title, "origin": path,
            "first": tag("section", first.definitions([("Odd?" if many else "Changed?",
                                                        found["verdict"])]),
                         _odd(found) if many else _changes(found),
                         pictures.figure(sheet, drawn, title), class_="first"),
            "sections": join((*tables, _left_out(found)))}


def _table(caption, head, rows):
    return table(caption, head, rows[:_MOST], "words") if rows else ""


def _figures(found):
    """"copy in +5.1%, graph on reduce +2.0% and 3 more"."""
    said = [f"{figure['name']} {100 * (figure['ratio'] - 1):+.1f}%" for figure in found["figures"]]
    more = f" and {len(said) - _FIGURES} more" if len(said) > _FIGURES else ""
    return ", ".join(said[:_FIGURES]) + more


def _odd(found):
    machines = {machine["name"]: machine for machine in found["machines"]}
    rows = [[odd["machine"], _figures(odd), *(machines[odd["machine"]][key] for key in
                                              ("uuid", "pci_bus_id", "driver", "sm_clock_mhz"))]
            for odd in found["odd"]]
    return _table("GPUs that differ from the others: times, relative to theirs",
                  ("GPU", "what differs", "UUID", "PCI", "driver", "SM clock after, MHz"), rows)


def _workload(workload):
    rows = [[v["variant"], Cell(f"{v['us']:,.4g}", v["us"]), *_speeds(v.get("ratio")),
             v["faster"], v["slower"], v["machines"]] for v in workload["variants"]]
    base = workload["reference"] or "the reference"
    return details(tag("h2", workload["workload"]), tag("div", tag("p", workload["verdict"]), table(
        "Medians over GPUs in µs, and 95% intervals for another such fleet",
        ("variant", "wall", f"speed vs {base}", "of the slowest GPU", "of the fastest",
         "faster on", "slower on", "GPUs"), rows, "times")))


def _speeds(ratio):
    if not ratio:
        return [""] * 3
    speed, low, high, least, most = (1 / ratio[key] for key in ("estimate", "high", "low", "most",
                                                                "least"))
    return [Cell(f"{speed:.4g} [{low:.4g}, {high:.4g}]", speed), f"{least:.4g}", f"{most:.4g}"]


def _settings(found):
    return _table("Settings that differ", ("setting", "value", "on most", "GPUs"),
                  [[setting["name"], setting["value"], setting["usual"],
                    ", ".join(setting["machines"][:_MOST])] for setting in found["settings"]])


def _changes(found):
    return _table("Changes: times, new over old", ("last commit before", "first with new times",
                                                   "or any from", "to", "what changed"),
                  [[*(change[key] for key in ("before", "since", "earliest", "latest")),
                    _figures(change)] for change in found["changes"]])


def _left_out(found):
    return _table("Left out: files, or parts of them, that do not count", ("file", "why"),
                  [[out["file"], out["why"]] for out in found["left_out"]])
