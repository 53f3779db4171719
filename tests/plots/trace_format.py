"""A strict reading of the trace format: what Perfetto and chrome://tracing take for granted.

As a program: trace_format.py FILE... checks files and names what is wrong with them."""

import collections
import json
import math
import sys

REQUIRED = {
    "M": {"name": str, "pid": int, "tid": int, "args": dict},
    "X": {"name": str, "cat": str, "pid": int, "tid": int, "ts": float, "dur": float, "args": dict},
    "s": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": float},
    "f": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": float, "bp": str},
}
CATEGORIES = {"call", "engine", "lane"}
ACTIVITIES = {"copy in", "copy out", "memset", "kernel"}


def no_constant(text):
    raise ValueError(f"{text} is no JSON number")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=no_constant)


def is_a(value, kind):
    if kind is float:
        return is_a(value, (int, float)) and math.isfinite(value)
    return isinstance(value, kind) and not isinstance(value, bool)


def wrong_fields(event):
    phase = event.get("ph")
    if phase not in REQUIRED:
        yield f"phase {phase!r} is not one of {sorted(REQUIRED)}"
        return
    for name, kind in REQUIRED[phase].items():
        if name not in event:
            yield f"a {phase} event lacks {name}: {event}"
        elif not is_a(event[name], kind):
            yield f"{name} of a {phase} event is {event[name]!r}, no {kind.__name__}"
    for name in ("ts", "dur"):
        if is_a(event.get(name), float) and event[name] < 0:
            yield f"{name} is {event[name]}: {event}"
    if phase == "X" and event.get("cat") not in CATEGORIES:
        yield f"category {event.get('cat')!r} is not one of {sorted(CATEGORIES)}"
    if phase == "X" and event.get("cat") != "call":
        if event.get("args", {}).get("activity") not in ACTIVITIES:
            yield f"an operation of no activity: {event}"


def wrong_tracks(slices, names):
    """Every track has a name of its own, and one thing after the other."""
    for track, events in slices.items():
        if track not in names:
            yield f"track {track} has no name"
        events.sort(key=lambda event: event["ts"])
        for one, other in zip(events, events[1:]):
            # Half a nanosecond: the possible rounding error of a double of microseconds.
            if one["ts"] + one["dur"] > other["ts"] + 5e-4:
                yield f"on track {names.get(track, track)} {one} and {other} overlap"
    for pid in {pid for pid, _ in names}:
        own = [name for (of, _), name in names.items() if of == pid]
        for name in {name for name in own if own.count(name) > 1}:
            yield f"process {pid} has two tracks {name!r}"


def wrong_flows(starts, ends, slices):
    for flow in starts.keys() ^ ends.keys():
        yield f"flow {flow} has no {'end' if flow in starts else 'start'}"
    begins = {track: {event["ts"] for event in events} for track, events in slices.items()}
    for flow in starts.keys() & ends.keys():
        start, end = starts[flow], ends[flow]
        if start["ts"] > end["ts"]:
            yield f"flow {flow} goes back in time, from {start['ts']} to {end['ts']}"
        for event in (start, end):
            if event["ts"] not in begins.get((event["pid"], event["tid"]), ()):
                yield f"flow {flow} is bound to nothing at {event['ts']}"


def wrong_operations(slices, ends):
    """Each operation stands on an engine's track and on a lane's, and is issued by one call."""
    for pid in {pid for pid, _ in slices}:
        of_pid = [event for (of, _), events in slices.items() if of == pid for event in events]
        seen = {cat: sorted((e["ts"], e["dur"], e["name"]) for e in of_pid if e["cat"] == cat)
                for cat in CATEGORIES}
        if seen["engine"] != seen["lane"]:
            yield f"process {pid} shows other operations by engine than by lane"
        flows = sum(1 for end in ends.values() if end["pid"] == pid)
        if flows != len(seen["engine"]):
            yield f"process {pid} has {len(seen['engine'])} operations and {flows} flows"


def problems(trace):
    """Everything that is wrong with a trace, in words; empty for a good one."""
    if not isinstance(trace, dict) or not isinstance(trace.get("traceEvents"), list):
        return ["there is no list traceEvents"]
    events = trace["traceEvents"]
    wrong = [text for event in events for text in wrong_fields(event)]
    if trace.get("displayTimeUnit") not in ("ms", "ns"):
        wrong.append(f"displayTimeUnit is {trace.get('displayTimeUnit')!r}")
    if wrong:
        return wrong  # what follows relies on the fields
    slices, names, flows = collections.defaultdict(list), {}, {"s": {}, "f": {}}
    processes = set()
    for event in events:
        track = event["pid"], event["tid"]
        if event["ph"] == "X":
            slices[track].append(event)
        elif event["name"] == "thread_name":
            names[track] = event["args"]["name"]
        elif event["name"] == "process_name":
            processes.add(event["pid"])
        elif event["ph"] in flows:
            if event["id"] in flows[event["ph"]]:
                wrong.append(f"flow {event['id']} has two {event['ph']} events")
            flows[event["ph"]][event["id"]] = event
    wrong += [f"process {pid} has no name" for pid in {pid for pid, _ in slices} - processes]
    wrong += wrong_tracks(slices, names)
    wrong += wrong_flows(flows["s"], flows["f"], slices)
    wrong += wrong_operations(slices, flows["f"])
    return wrong


def main():
    found = [f"{path}: {text}" for path in sys.argv[1:] for text in problems(load(path))]
    print("\n".join(found[:20]) or "good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
