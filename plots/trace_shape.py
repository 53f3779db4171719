"""Describes what the scripts read of trace files; see schema.py."""
import math

import input_file
from rules import unlike
from schema import (BYTES, COUNT, DIFFERENCE, NAME, SHORT, TIME, list_of, members, number, one_of,
                    text)

ACTIVITIES = ("copy in", "memset", "kernel", "copy out")
CALL, ENGINE, LANE = ("X", "call"), ("X", "engine"), ("X", "lane")
BEGIN, END = ("s", "issue"), ("f", "issue")
ROW, ORDER = ("M", "thread_name"), ("M", "thread_sort_index")

_ID = number(0, 2**64, "integer")
_OF = {"chunk": COUNT, "lane": COUNT, "stream": _ID, "graph_node": _ID, "bytes": BYTES}
_SPAN = {"ts": DIFFERENCE, "dur": TIME}
_FLOW = members({"ts": DIFFERENCE, "id": _ID})
_KINDS = {  # other members that scripts read of an event with that phase, and that category or name
    ROW: members({"args": members({"name": NAME})}),
    ORDER: members({"args": members({"sort_index": COUNT})}),
    CALL: members(_SPAN, {"args": members({}, _OF)}),
    LANE: members({**_SPAN, "args": members({}, _OF)}),
    ENGINE: members({**_SPAN, "args": members({"activity": one_of(*ACTIVITIES)}, _OF)}),
    BEGIN: _FLOW, END: _FLOW}


def kind(event):
    """Its phase, and its category or name: CALL, ENGINE and so on, or another."""
    return event["ph"], event.get("cat", event["name"])


def track(event):
    return event["pid"], event["tid"]


def key(event):
    """Returns what the two events of an operation share, on its engine's and on its lane's
    track."""
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


_RECORDED, _PIPELINE = (members({"workload": name}) for name in (text(1, 200), NAME))
_PASS = members({"pid": _ID, "comparison": COUNT, "variant": NAME, "event_us": TIME},
                which=lambda found: _RECORDED if found.get("recorded") is True else _PIPELINE)
_EVENT = members({"ph": SHORT, "pid": _ID, "tid": _ID, "name": NAME}, {"cat": NAME},
                 which=lambda event: _KINDS.get(kind(event)))
KIND = input_file.Kind(None, None, "trace", "trilane --trace", members(
    {"otherData": members({"simulated": SHORT, "gpu": SHORT, "passes": list_of(
        _PASS, rules=[unlike("process", lambda found: found["pid"])])}),
     "traceEvents": list_of(_EVENT)}, rules=[_bound]))
