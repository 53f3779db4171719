"""A made-up trace of made-up results, for the tests of timelines and of the report: a small model
of a host that issues, lanes in order, and engines that each do one thing at a time."""
import itertools

CALLS = {"copy in": "cudaMemcpyAsync", "copy out": "cudaMemcpyAsync", "memset": "cudaMemsetAsync",
         "kernel": "cudaLaunchKernel"}
ENGINES = {"copy in": "copy in", "copy out": "copy out", "memset": "compute",
           "kernel": "compute"}
COUNTS = {"copies": ("copy in", "copy out"), "memsets": ("memset",), "kernels": ("kernel",)}


def trace(results, passes=5):
    """The trace of `results`, whose measurements get their timelines, too."""
    events, about = [], []
    for place, comparison in enumerate(results["comparisons"]):
        for measurement in comparison["measurements"]:
            if measurement["status"] == "ok":
                pid = len(about) + 1
                wall = measurement["wall"]["median"]
                about.append({"pid": pid, "comparison": place,
                              "workload": comparison["workload"]["name"],
                              "variant": measurement["variant"], "event_us": wall * 1.02})
                calls, operations = schedule(comparison["workload"], measurement["variant"], wall)
                events += write(pid, about[-1], calls, operations)
                measurement["timeline"] = timeline(operations, passes)
    return {"traceEvents": events, "displayTimeUnit": "ns",
            "otherData": {"tool": "trilane 0.1.0", "gpu": results["context"]["gpu"]["name"],
                          "simulated": results["context"]["simulated"], "passes": about}}


def stages(workload):
    """Pairs of activity and time in us of one chunk."""
    rate = 50e3  # bytes per microsecond
    copies = [1.5 + workload[key] / rate for key in ("chunk_bytes", "result_bytes")]
    kernel = {"compute": 400, "search": 990, "balanced": 21}.get(workload["name"], 2)
    return [("copy in", copies[0]), ("memset", 1.2),
            *[("kernel", kernel / workload["depth"] + 1)] * workload["depth"],
            ("copy out", copies[1])]


def schedule(workload, variant, wall):
    """Lists of calls (name, start, duration, chunk, lane) and of operations (activity, start,
    duration, chunk, lane, call). fused is one kernel, which is of no chunk."""
    if variant == "fused":
        return ([("cudaLaunchKernel", 0.5, 3.0, None, None),
                 ("cudaStreamSynchronize", 4.0, wall - 4, None, None)],
                [("kernel", 4.5, wall - 6, None, None, 0)])
    calls, operations, free = [], [], {}
    graph = variant.startswith("graph")
    steps = [(chunk, *stage) for chunk in range(workload["chunks"]) for stage in stages(workload)]
    cost = 6 if graph else 0.9 * wall / len(steps) if workload["name"] == "launch" else 2.2
    now = 0.5
    for chunk, activity, duration in steps:
        lane = chunk % workload["lanes"]
        if not graph or not calls:
            calls.append(("cudaGraphLaunch" if graph else CALLS[activity], now, cost * 0.9,
                          None if graph else chunk, None if graph else lane))
            now += cost
        engine = ENGINES[activity]
        start = max(calls[-1][1] + 1.5, free.get(lane, 0) + 0.8, free.get(engine, 0) + 0.2)
        free[lane] = free[engine] = start + duration
        operations.append((activity, start, duration, chunk, lane, len(calls) - 1))
        if variant == "serial":
            now = max(now, start + duration + 2)
    calls.append(("cudaStreamSynchronize", now, max(max(free.values()) + 3 - now, 1), None, None))
    return calls, operations


def lane_track(lane):
    return "whole pass" if lane is None else f"lane {lane}"


def write(pid, about, calls, operations):
    tracks = {}

    def event(phase, name, track, when, **more):
        return {"ph": phase, "pid": pid, "tid": tracks.setdefault(track, len(tracks) + 1),
                "name": name, "ts": round(when, 3), **more}

    lanes = {lane for *_, lane, _ in operations}
    for track in ("host", "copy in", "compute", "copy out", *sorted(map(lane_track, lanes))):
        tracks[track] = len(tracks) + 1
    made = [{"ph": "M", "pid": pid, "tid": 0, "name": "process_name",
             "args": {"name": f"{about['workload']}: {about['variant']}"}}]
    for track, tid in tracks.items():
        made.append({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name",
                     "args": {"name": track}})
        made.append({"ph": "M", "pid": pid, "tid": tid, "name": "thread_sort_index",
                     "args": {"sort_index": tid}})
    for name, start, duration, chunk, lane in calls:
        arguments = {} if chunk is None else {"chunk": chunk, "lane": lane}
        made.append(event("X", name, "host", start, cat="call", dur=round(duration, 3),
                          args=arguments))
    for number, (activity, start, duration, chunk, lane, call) in enumerate(operations):
        name = "transform_each" if activity == "kernel" else activity
        arguments = {"activity": activity, "stream": 7 + (lane or 0), "call": calls[call][0]}
        if lane is not None:
            arguments |= {"chunk": chunk, "lane": lane}
        if calls[call][0] == "cudaGraphLaunch":
            arguments["graph_node"] = number
        if activity != "kernel":
            arguments["bytes"] = 4096
        for cat, track in (("engine", ENGINES[activity]), ("lane", lane_track(lane))):
            made.append(event("X", name, track, start, cat=cat, dur=round(duration, 3),
                              args=arguments))
        flow = {"cat": "issue", "id": pid * 100000 + number}
        made.append(event("s", "issue", "host", calls[call][1], **flow))
        made.append(event("f", "issue", ENGINES[activity], start, bp="e", **flow))
    return made


def timeline(operations, passes):
    """The record in the results: counts and busy times are those of `operations`, the causes of
    idleness and of waits are made up."""
    span = max(o[1] + o[2] for o in operations) - min(o[1] for o in operations)
    counts = {name: sum(o[0] in kinds for o in operations) for name, kinds in COUNTS.items()}
    busy = {engine: sum(o[2] for o in operations if ENGINES[o[0]] == engine)
            for engine in ("copy in", "compute", "copy out")}
    causes = {"host_us": 0.5, "dependency_us": 0.3, "latency_us": 0.1, "done_us": 0.1}
    return {
        "event_us": [span + 4.0] * passes, "before_us": [3.0] * passes,
        "span_us": [span] * passes, "after_us": [-0.3] * passes,
        "untraced_us": [(span + 4.0) / 1.14] * passes,
        "operations": counts, "planned": counts,
        "overlap": [{"of": of, "with": other, "us": 12.5, "share": 0.41}
                    for of, other in itertools.permutations(CALLS, 2)],
        "busy": [{"engine": engine, "us": us, "share": us / span} for engine, us in busy.items()],
        "idle": [{"engine": engine, **{cause: (span - us) * part for cause, part in causes.items()}}
                 for engine, us in busy.items()],
        "waits": [{"activity": name, "host_us": 5.0, "engine_us": 7.0,
                   "dependency_us": 3.0, "latency_us": 2.0} for name in CALLS],
    }
