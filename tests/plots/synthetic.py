"""Made-up results for the tests of the plot scripts. No figure here was measured; the shapes and
the orders of magnitude are those of a data centre GPU."""
import copy
import random
import statistics

import plot_test_case  # first: modules of plots/ can be imported after it

import looks
import schema
import tiers

KIB, MIB = 1 << 10, 1 << 20
PRESETS = {  # chunks, chunk bytes, result bytes, lanes, depth; wall time of streams in us
    "launch": (64, 4 * KIB, 4 * KIB, 4, 4, 1370), "transfer": (32, 8 * MIB, 8 * MIB, 4, 1, 5720),
    "balanced": (16, MIB, MIB, 4, 1, 560), "compute": (8, 2 * MIB, 2 * MIB, 4, 1, 3300),
    "reduce": (16, 4 * MIB, 4 * KIB, 4, 1, 1310), "search": (2, 16 * KIB, 4 * KIB, 2, 1, 1040),
}
VARIANTS = {  # wall time over streams on launch and elsewhere; submit over wall on launch
    "serial": (3.4, 1.9, 1.0), "streams": (1.0, 1.0, 0.99), "graph": (0.29, 0.995, 0.7),
    "pool": (1.18, 1.0, 0.99), "malloc": (8.2, 1.6, 1.0), "graph_pool": (0.33, 1.04, 0.8),
}
MODEL = {"issuer": "host", "chaining": "lanes", "scratch": "pool",
         "mover": "copy engines, each chunk"}  # for those whose names do not state it
TWELVE = [*VARIANTS, "mapped", "engine_lanes", "phased", "fused", "update", "a_long_name"]
PROFILE = "NVIDIA Example 100 (profile of 2001-02-03)"


def completed(document, kind):
    """The document with every member that its schema requires: what is missing is empty or 0."""
    return _completed(document, schema.printed(kind))


def _completed(value, shape):
    if "properties" in shape:
        lacking = {key: _least(shape["properties"][key]) for key in shape["required"]
                   if key not in value}
        return lacking | {key: _completed(inner, shape["properties"][key])
                          if key in shape["properties"] else inner
                          for key, inner in value.items()}
    if isinstance(shape.get("additionalProperties"), dict):
        return {key: _completed(inner, shape["additionalProperties"])
                for key, inner in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_completed(inner, shape["items"]) for inner in value]
    return copy.deepcopy(value)


def _least(shape):
    if "enum" in shape:
        return shape["enum"][0]
    if shape.get("type") in ("integer", "number"):
        return max(0, shape["minimum"])
    empty = {"string": "", "array": [], "object": {}, "boolean": False}.get(shape.get("type"), 1)
    return _completed(empty, shape)


def results(presets=PRESETS, variants=VARIANTS, passes=200, reference="streams", simulated=""):
    """Results of every preset on every variant, all right; unknown variants resemble pool."""
    draw = random.Random(7)
    return completed(decided({
        "schema": "trilane-results",
        "context": {"simulated": simulated, "tool_version": "0.1.0",
                    "git_revision": "0123456789ab-dirty", "host": {},
                    "started": "2001-02-03T04:05:06Z", "environment": {}, "notes": [],
                    "gpu": {"name": "NVIDIA Example 100", "driver_version": "999.1",
                            "cuda_runtime_version": "98.7"}},
        "comparisons": [comparison(draw, preset, variants, passes, reference)
                        for preset in presets],
    }), "results")


def decided(results):
    """The results with what the program derives of them in version 5: plainer than there, the
    fastest of each tier wins, and nothing ties. Also turns files of older versions into such."""
    results["schema_version"] = 5
    results["answers"] = [{"question": "Graph?", "text": "Faster on launch (3.38x), made up."},
                          {"question": "Pool?", "text": "A pool costs nothing, made up."},
                          {"question": "Engines?", "text": "Slower on search (0.51x), made up."}]
    results["doubts"] = ["One process was measured, made up: --processes 5 covers that."]
    for comparison in results["comparisons"]:
        for m in comparison["measurements"]:
            m["plan"].setdefault("model", dict(zip(
                ("issuer", "chaining", "scratch", "mover"),
                looks.MODELS.get(m["variant"].partition(":")[0], MODEL.values()))))
        decide(comparison)
    return results


def decide(comparison):
    """Sets the winners, after changes to measurements."""
    comparison["winners"] = []
    for tier, members in tiers.groups(comparison):
        timed = [m for m in members if m["status"] == "ok"]
        if timed and tier:
            best = min(timed, key=lambda m: m["wall"]["median"])
            ratio = {"ratio": dict(best["ratio"])} if "ratio" in best else {}
            comparison["winners"].append({"tier": tier, "variant": best["variant"], "tied": [],
                                          **ratio})


APPLICATION = "./app --size 4096 --steps 200"
CANDIDATES = {  # wall time over that of the same calls, and the issuer and chaining of the model
    "calls": (1.0, "host", "recorded"), "graph": (0.31, "graph", "recorded"),
    "graph_set": (0.35, "graph, set", "recorded"), "pinned": (1.002, "host", "recorded"),
    "pool": (1, "host", "recorded"), "fewer_waits": (0.22, "host", "recorded, one wait")}


def replay(passes=60):
    """Results of a recorded application's replay, as the program writes and derives them. pool does
    not apply."""
    draw = random.Random(7)
    found = comparison(draw, "launch", CANDIDATES, passes, "calls")
    found["workload"] = {
        "name": APPLICATION, "modified": False, "bytes": 0, "chunk_bytes": 0, "result_bytes": 0,
        "lanes": 1, "depth": 1, "rounds": 1, "order": "depth", "host_memory": "pinned", "chunks": 0,
        "application": {"calls": 13, "kernels": 4, "copies": 2, "memsets": 1, "waits": 2,
                        "in_bytes": 4096, "out_bytes": 4096, "streams": 2}}
    for m in found["measurements"]:
        times, issuer, chaining = CANDIDATES[m["variant"]]
        for clock, share in (("submit", 0.6), ("device", 0.9), ("wall", 1)):
            m["samples"][f"{clock}_us"] = [412 * times * share * draw.lognormvariate(0, 0.01)
                                           for _ in range(passes)]
            m[clock] = summary(m["samples"][f"{clock}_us"])
        m["plan"] = {"blocks": True, "model": {
            "issuer": issuer, "chaining": chaining, "scratch": "application",
            "mover": "copy engines, each chunk"}}
        if m["variant"] != "calls":
            m["ratio"] = ratio(times)
        for key in ("price", "break_even"):
            m.pop(key, None)
        if m["variant"] == "pool":
            fail(m, "not supported", "it does not allocate")
    found.update(host_us=41.0, regime="", winners=[
        {"tier": "same operations", "variant": "graph", "ratio": ratio(0.31), "tied": []}],
        advice={"use": "graph", "over": "calls", "ratio": ratio(0.31)},
        verdict=f"{APPLICATION}: use graph: 3.2 times as fast as the same calls [3.19, 3.26], 128 "
        "instead of 412 us an iteration. Your host code stays as it is and takes 41.0 us of an "
        "iteration (32%).")
    return completed({
            "schema": "trilane-results", "schema_version": 6,
            "context": results(["launch"], ["streams"], 5)["context"]
            | {"command_line": f"trilane record --results r.json -- {APPLICATION}"},
            "answers": [{"question": "Graph?", "text": "Yes: 3.2x, made up."},
                        {"question": "Pinned?", "text": "No: no difference."},
                        {"question": "Pool?", "text": "Does not apply: it does not allocate."},
                        {"question": "Fewer waits?", "text": "At most 4.5x, made up."}],
            "doubts": ["Intervals cover one process, made up."],
            "comparisons": [found]}, "results")


def comparison(draw, preset, variants, passes, reference):
    chunks, chunk, result, lanes, depth, base = PRESETS.get(preset, PRESETS["launch"])
    workload = {"name": preset, "modified": False, "bytes": chunks * chunk, "chunk_bytes": chunk,
                "result_bytes": result, "lanes": lanes, "depth": depth, "rounds": 1,
                "order": "depth", "host_memory": "pinned", "chunks": chunks}
    measurements = [measurement(draw, variant, preset, base, passes) for variant in variants]
    walls = {m["variant"]: m["wall"]["median"] for m in measurements}
    for m in measurements:
        if reference in walls and m["variant"] != reference:
            m["ratio"] = ratio(walls[m["variant"]] / walls[reference])
            m["break_even"] = {"pays": "later", "passes": 3.14, "low": 2.9, "high": 12.0}
    return {"workload": workload, "mode": "latency", "batch": 1, "seed": 1, "seconds": 1.0,
            "reference": reference if reference in walls else "", "regime": "made up",
            "measurements": measurements, "verdict": f"{preset}: use any of them, made up."}


def measurement(draw, variant, preset, base, passes):
    launch, other, share = VARIANTS.get(variant, VARIANTS["pool"])
    wall = base * (launch if preset == "launch" else other)
    submit = wall * (share if preset == "launch" or share == 1 else 0.06)
    samples = {"round": list(range(passes)), "after": [0] * passes}
    for clock, centre in (("submit", submit), ("device", wall * 0.97), ("wall", wall)):
        samples[f"{clock}_us"] = [centre * draw.lognormvariate(0, 0.02)
                                  * (1.5 if draw.random() < 0.01 else 1) for _ in range(passes)]
    return {"variant": variant, "status": "ok", "message": "", "plan": {},
            "setup_us": 500.0,
            "first_pass_us": 2 * wall, "teardown_us": 90.0, "samples": samples,
            "price": price(draw, variant, wall),
            **{clock: summary(samples[f"{clock}_us"]) for clock in ("submit", "device", "wall")}}


def price(draw, variant, wall, set_ups=7):
    """Set-ups whose parts are multiples of 10 us by the letters of the name."""
    phases = {phase: [10 * (1 + len(variant) % (2 + index)) * draw.lognormvariate(0, 0.02)
                      for _ in range(set_ups)]
              for index, phase in enumerate(("allocation", "streams", "capture", "instantiate",
                                             "upload", "pool", "other"))}
    return {"setup_us": [sum(parts) for parts in zip(*phases.values())], "phases": phases,
            "passes_us": [[wall * factor] * set_ups for factor in (1.2, 1, 1, 1)],
            "priming_us": [wall / 20] * set_ups if "pool" in variant else [],
            "teardown_us": [30.0] * set_ups,
            "device_bytes": [len(variant) * 4 * MIB if variant != "malloc" else 0] * set_ups}


def summary(times):
    q1, median, q3 = statistics.quantiles(times, n=4)
    return {"mean": median, "median": median, "q1": q1, "q3": q3, "min": min(times),
            "p99": statistics.quantiles(times, n=100)[98]}


def ratio(estimate):
    return {"estimate": estimate, "low": estimate * 0.99, "high": estimate * 1.012}


def fail(measurement, status, message):
    """Turns a measurement into one without times."""
    for key in ("submit", "device", "wall", "ratio", "price", "break_even"):
        measurement.pop(key, None)
    measurement.update(status=status, message=message,
                       samples={column: [] for column in measurement["samples"]})


def scale_times(measurement, factor):
    """Makes all times of a measurement longer by that factor."""
    for clock in ("submit", "device", "wall"):
        times_of = measurement["samples"][f"{clock}_us"]
        times_of[:] = [time * factor for time in times_of]
        measurement[clock] = summary(times_of)


def cases():
    """Pairs of name and results: the standard case and the odd ones."""
    yield "standard", results()
    yield "one preset", results(["launch"])
    yield "one variant", results(["launch"], ["graph"])
    yield "two presets", results(["search", "reduce"])
    yield "twelve variants", results(["launch", "transfer", "search"], TWELVE)
    yield "simulated", results(["launch", "transfer"], simulated=PROFILE)
    yield "one simulated preset", results(["launch"], simulated=PROFILE)
    failed = results(["launch", "search"])
    for comparison in failed["comparisons"]:
        comparison["reference"] = ""
        for measurement in comparison["measurements"]:
            fail(measurement, "failed", "byte 7 of pass 2 is 0x12, not 0x34: $x_1$ " * 3)
    yield "a replay", replay()
    yield "all failed", failed
    mixed = results(["launch", "transfer", "search"])
    for comparison in mixed["comparisons"]:
        fail(comparison["measurements"][0], "failed", "wrong data")
        fail(comparison["measurements"][3], "not supported", "no memory pools here")
        fail(comparison["measurements"][5], "not run", "")
    yield "some failed", mixed
    wide = results(["launch", "transfer"])
    wide["context"]["gpu"]["name"] = "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"
    for factor, comparison in zip((1e-4, 3e4), wide["comparisons"]):
        comparison["workload"].update(name="custom", modified=True, chunks=100000)
        for measurement in comparison["measurements"]:
            scale_times(measurement, factor)
    scale_times(wide["comparisons"][1]["measurements"][0], 500)
    yield "wide spread", wide
    unpriced = results(["launch", "transfer"])
    for measurement in unpriced["comparisons"][0]["measurements"]:
        del measurement["price"]
        measurement.pop("break_even", None)
    del unpriced["comparisons"][1]["measurements"][2]["price"]
    yield "not priced", unpriced
