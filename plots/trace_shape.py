"""Describes what the scripts read of trace files; see description.py."""
import math

import input_file
from description import BYTES, COUNT, DIFFERENCE, NAME, TIME, Number, OneOf, Rules, When
from results_check import APPLICATION, SHORT
from rules import unlike

ACTIVITIES = ("copy in", "memset", "kernel", "copy out")
CALL, ENGINE, LANE = ("X", "call"), ("X", "engine"), ("X", "lane")
BEGIN, END = ("s", "issue"), ("f", "issue")
ROW, ORDER = ("M", "thread_name"), ("M", "thread_sort_index")

_ID = Number(0, 2**64, whole=True)
_EVENT = {"ph": SHORT, "pid": _ID, "tid": _ID, "name": NAME, "cat": (NAME,)}
_OF = {"chunk": (COUNT,), "lane": (COUNT,), "stream": (_ID,), "graph_node": (_ID,),
       "bytes": (BYTES,)}
_SPAN = {"ts": DIFFERENCE, "dur": TIME}
_FLOW = {"ts": DIFFERENCE, "id": _ID}
_KINDS = {  # other members that scripts read of an event with that phase, and that category or name
    ROW: {"args": {"name": NAME}}, ORDER: {"args": {"sort_index": COUNT}},
    CALL: {**_SPAN, "args": (_OF,)}, LANE: {**_SPAN, "args": _OF},
    ENGINE: {**_SPAN, "args": {**_OF, "activity": OneOf(ACTIVITIES)}}, BEGIN: _FLOW, END: _FLOW}


def kind(event):
    """Its phase, and its category or name: CALL, ENGINE and so on, or another."""
    return event["ph"], event.get("cat", event["name"])


def track(event):
    return event["pid"], event["tid"]


def key(event):
    """What the two events of an operation share, on its engine's and on its lane's track."""
    return (event["ts"], event["dur"], event["name"],
            *(event["args"].get(name) for name in ("chunk", "stream", "graph_node")))


def _bound(file):
    """Events are on tracks with names, operations on an engine's and on a lane's, and flows come
    from a call."""
    events = file["traceEvents"]
    named = {track(event) for event in events if kind(event) == ROW}
    lanes = {(event["pid"], key(event)) for event in events if kind(event) == LANE}
    first, begins = {}, {}
    for event in events:
        if kind(event) == CALL:
            first[track(event)] = min(event["ts"], first.get(track(event), event["ts"]))
        elif kind(event) == BEGIN:
            begins[event["pid"], event["id"]] = event
    for place, event in enumerate(events):
        if kind(event) in (CALL, ENGINE, LANE) and track(event) not in named:
            yield f".traceEvents[{place}].tid", "that of a track with a name", event["tid"]
        if kind(event) == ENGINE and (event["pid"], key(event)) not in lanes:
            yield f".traceEvents[{place}]", "on a lane's track, too,", event
        begin = begins.get((event["pid"], event["id"])) if kind(event) == END else None
        if begin and not first.get(track(begin), math.inf) <= begin["ts"]:
            yield f".traceEvents[{place}].id", "that of a flow from a call", event["id"]


_NAMED = [When(lambda found: found.get("recorded") is True, {"workload": APPLICATION}),
          When(lambda found: found.get("recorded") is not True, {"workload": NAME})]
KIND = input_file.Kind(None, None, "trace", "trilane --trace", Rules(
    {"otherData": {"simulated": SHORT, "gpu": SHORT,
                   "passes": Rules([Rules({"pid": _ID, "comparison": COUNT, "variant": NAME,
                                            "event_us": TIME}, _NAMED)],
                                   [unlike("process", lambda found: found["pid"])])},
     "traceEvents": [Rules(_EVENT, [When(lambda event, wanted=wanted: kind(event) == wanted, shape)
                                    for wanted, shape in _KINDS.items()])]}, [_bound]))
