"""Reads and checks trace files, and turns Chrome's events into passes of calls and operations."""
import bisect
import collections
import dataclasses

import input_file
from input_file import InputError
from plain_text import cut
from trace_shape import BEGIN, CALL, END, ENGINE, KIND, LANE, ORDER, ROW, key, kind


@dataclasses.dataclass
class Call:
    """A call of the host; times are microseconds from the start of the pass."""
    name: str
    start: float
    duration: float
    row: str
    chunk: int | None
    lane: int | None
    stream: int | None = None

    @property
    def waits(self):
        """Returns true if the host only waits in it."""
        return self.name.endswith("Synchronize")


@dataclasses.dataclass
class Operation:
    """An operation of the device; `call` is the index in Pass.calls of the call that issued it."""
    activity: str
    name: str
    start: float
    duration: float
    chunk: int | None
    lane: int | None
    stream: int | None
    node: int | None
    bytes: int | None
    engine_row: str
    lane_row: str
    call: int | None = None

    @property
    def end(self):
        return self.start + self.duration


@dataclasses.dataclass
class Pass:
    """The traced pass of a variant, or a recorded iteration of an application, whose lanes are
    streams. `comparison` is its index in the results, `event_us` the time between the events around
    it, and `rows` the names of its rows from the top down."""
    comparison: int
    preset: str
    variant: str
    event_us: float
    rows: list
    calls: list
    operations: list
    recorded: bool = False

    def rows_of(self, items, attribute):
        """The rows that hold one of the items, in order."""
        used = {getattr(item, attribute) for item in items}
        return [row for row in self.rows if row in used]


@dataclasses.dataclass
class Trace:
    """`simulated` is the profile of simulated times; empty if they were measured."""
    simulated: str
    gpu: str
    passes: list

    def names(self):
        """Index of a comparison to its preset, numbered if several comparisons have it."""
        presets = {found.comparison: found.preset for found in self.passes}
        alike = {preset: [place for place in presets if presets[place] == preset]
                 for preset in presets.values()}
        return {place: preset if len(alike[preset]) == 1
                else f"{preset}, {1 + alike[preset].index(place)}"
                for place, preset in presets.items()}


def load(path):
    """The trace in the file at `path`; raises InputError."""
    name, way_out = repr(str(path)), f"name a file written by {KIND.again}"
    file = input_file.read(path, way_out)
    about = file.get("otherData") if isinstance(file, dict) else None
    tool = about.get("tool") if isinstance(about, dict) else None
    if not isinstance(tool, str):
        raise InputError(f"{name} is JSON but not a trilane trace: its \"otherData\" should "
                         f"name trilane as its \"tool\"; {way_out}")
    if not tool.startswith("trilane "):
        raise InputError(f"{name} is a trace of {cut(tool)!r}: {way_out}")
    input_file.described(file, path, KIND)
    events = collections.defaultdict(list)
    for event in file["traceEvents"]:
        events[event["pid"]].append(event)
    return Trace(about["simulated"], about["gpu"],
                 [_pass(entry, events[entry["pid"]]) for entry in about["passes"]])


def _pass(entry, mine):
    def of_kind(wanted):
        return [event for event in mine if kind(event) == wanted]
    names = {event["tid"]: event["args"]["name"] for event in of_kind(ROW)}
    order = {event["tid"]: event["args"]["sort_index"] for event in of_kind(ORDER)}
    calls = sorted(of_kind(CALL), key=_place)
    lanes = {key(event): names[event["tid"]] for event in of_kind(LANE)}
    issued = _issuers(of_kind(BEGIN), of_kind(END), calls)
    recorded = entry.get("recorded") is True
    return Pass(
        entry["comparison"], entry["workload"], entry["variant"], float(entry["event_us"]),
        [names[tid] for tid in sorted(names, key=lambda tid: order.get(tid, tid))],
        [_call(event, names, recorded) for event in calls],
        [_operation(event, names, lanes[key(event)], issued.get(_place(event)), recorded)
         for event in sorted(of_kind(ENGINE), key=_place)], recorded)


def _call(event, names, recorded):
    chunk, lane = (event.get("args", {}).get(key) for key in ("chunk", "lane"))
    return Call(event["name"], float(event["ts"]), float(event["dur"]), names[event["tid"]], chunk,
                *((None, lane) if recorded else (lane, None)))


def _operation(event, names, lane_row, call, recorded):
    arguments = event["args"]
    optional = [arguments.get(key) for key in ("chunk", "lane", "stream", "graph_node", "bytes")]
    if recorded:
        optional[1] = None  # its stream says the same
    return Operation(arguments["activity"], event["name"], float(event["ts"]),
                     float(event["dur"]), *optional, names[event["tid"]], lane_row, call)


def _place(event):
    return event["ts"], event["tid"]


def _issuers(begins, ends, calls):
    """Maps an operation's place to the index of the call that issued it, from the flow events."""
    begun = {event["id"]: event for event in begins}
    threads = {}
    for index, call in enumerate(calls):
        threads.setdefault(call["tid"], []).append((call["ts"], index))
    found = {}
    for event in ends:
        if begin := begun.get(event["id"]):
            thread = threads[begin["tid"]]
            found[_place(event)] = thread[bisect.bisect_right(
                thread, (begin["ts"], len(calls))) - 1][1]
    return found
