"""Reads and checks trace files, and turns Chrome's events into passes of calls and operations."""
import bisect
import collections
import dataclasses

from input_file import InputError, read

ACTIVITIES = ("copy in", "memset", "kernel", "copy out")


@dataclasses.dataclass
class Call:
    """A call of the host; times are microseconds from the start of the pass."""
    name: str
    start: float
    duration: float
    row: str
    chunk: int | None
    lane: int | None

    @property
    def waits(self):
        """Whether the host only waits in it."""
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
    """The traced pass of a variant. `comparison` is its index in the results, `event_us` the time
    between the events around it, and `rows` the names of its rows from the top down."""
    comparison: int
    preset: str
    variant: str
    event_us: float
    rows: list
    calls: list
    operations: list

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
    name = repr(str(path))
    way_out = "name a file written by trilane --trace"
    file = read(path, way_out)
    about = file.get("otherData") if isinstance(file, dict) else None
    tool = about.get("tool") if isinstance(about, dict) else None
    if not isinstance(tool, str):
        raise InputError(f"{name} is JSON but no trace of trilane: its \"otherData\" should name "
                         f"trilane as its \"tool\"; {way_out}")
    if not tool.startswith("trilane "):
        raise InputError(f"{name} is a trace of {tool[:60]!r}: name one written by trilane --trace")
    try:
        events = collections.defaultdict(list)
        for event in file["traceEvents"]:
            events[event["pid"]].append(event)
        passes = [_pass(entry, events[entry["pid"]]) for entry in about["passes"]]
        return Trace(str(about["simulated"]), str(about["gpu"]), passes)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{name} is damaged: {_damage(error)}; write it again with trilane "
                         "--trace") from error


def _damage(error):
    if isinstance(error, KeyError) and isinstance(error.args[0], str):
        return f"a part of it lacks {error}"
    if isinstance(error, ValueError):
        return str(error)
    return "a part of it is not what trilane writes"


def _number(value):
    if not isinstance(value, (int, float)):
        raise ValueError(f"it has {value!r} instead of a number")
    return float(value)


def _pass(entry, mine):
    names = {event["tid"]: event["args"]["name"] for event in mine
             if event["name"] == "thread_name"}
    order = {event["tid"]: event["args"]["sort_index"] for event in mine
             if event["name"] == "thread_sort_index"}
    calls = sorted((event for event in mine if event.get("cat") == "call"), key=_place)
    engine = sorted((event for event in mine if event.get("cat") == "engine"), key=_place)
    lanes = {_key(event): names[event["tid"]] for event in mine if event.get("cat") == "lane"}
    issued = _issuers(mine, calls)
    return Pass(
        int(entry["comparison"]), entry["workload"], entry["variant"], _number(entry["event_us"]),
        [names[tid] for tid in sorted(names, key=lambda tid: order.get(tid, tid))],
        [Call(event["name"], _number(event["ts"]), _number(event["dur"]), names[event["tid"]],
              event.get("args", {}).get("chunk"), event.get("args", {}).get("lane"))
         for event in calls],
        [_operation(event, names, lanes[_key(event)], issued.get(_place(event)))
         for event in engine])


def _operation(event, names, lane_row, call):
    arguments = event["args"]
    if arguments["activity"] not in ACTIVITIES:
        raise ValueError(f"it has {arguments['activity']!r} instead of an activity")
    optional = [arguments.get(key) for key in ("chunk", "lane", "stream", "graph_node", "bytes")]
    return Operation(arguments["activity"], event["name"], _number(event["ts"]),
                     _number(event["dur"]), *optional, names[event["tid"]], lane_row, call)


def _place(event):
    return event["ts"], event["tid"]


def _key(event):
    """What the two events of an operation share, on its engine's and on its lane's track."""
    return (event["ts"], event["dur"], event["name"],
            *(event["args"].get(key) for key in ("chunk", "stream", "graph_node")))


def _issuers(events, calls):
    """Maps an operation's place to the index of the call that issued it, from the flow events."""
    begins = {event["id"]: event for event in events if event["ph"] == "s"}
    threads = {}
    for index, call in enumerate(calls):
        threads.setdefault(call["tid"], []).append((call["ts"], index))
    found = {}
    for event in events:
        if event["ph"] == "f" and event["id"] in begins:
            begin = begins[event["id"]]
            thread = threads[begin["tid"]]
            found[_place(event)] = thread[bisect.bisect_right(
                thread, (begin["ts"], len(calls))) - 1][1]
    return found
