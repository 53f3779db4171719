"""Holds what a recorded iteration holds, beside what the plan of a pass says; for
record_variants.py."""

ON_HOST = ("pinned", "pageable")


def is_found(recording):
    return recording["found"] != "none"


def way_of(operation, memory):
    """Returns which way a copy goes."""
    kinds = {use["use"]: memory[use["memory"]]["kind"] for use in operation["uses"]}
    if kinds.get("reads") in ON_HOST:
        return "in"
    return "out" if kinds.get("writes") in ON_HOST else "unknown"


def counted(recording):
    """Operations of the recorded iteration, and the nodes and edges of the graphs it launches."""
    graphs = [recording["graphs"][call["graph"]] for call in recording["calls"]
              if call["kind"] == "graph launch" and "graph" in call]
    nodes = [node for graph in graphs for node in graph["nodes"]]
    operations = recording["calls"] + nodes
    count = dict.fromkeys(("copies_in", "copies_out", "copies_unknown", "bytes_in", "bytes_out",
                           "bytes_unknown"), 0)
    for copy in (each for each in operations if each["kind"] == "copy"):
        way = way_of(copy, recording["memory"])
        count[f"copies_{way}"] += 1
        count[f"bytes_{way}"] += copy["bytes"]
    for name, kind in (("kernels", "kernel"), ("memsets", "memset")):
        count[name] = sum(each["kind"] == kind for each in operations)
    for name, kind in (("kernel_nodes", "kernel"), ("memcpy_nodes", "copy"),
                       ("memset_nodes", "memset"), ("alloc_nodes", "stream-ordered allocation"),
                       ("free_nodes", "stream-ordered free")):
        count[name] = sum(node["kind"] == kind for node in nodes)
    count["roots"] = sum(not node["after"] for node in nodes)
    count["edges"] = sum(len(node["after"]) for node in nodes)
    return count


def together(count):
    """The same without the ways that copies go."""
    rest = {name: value for name, value in count.items() if name[:6] not in ("copies", "bytes_")}
    for what in ("copies", "bytes"):
        rest[what] = sum(count.get(f"{what}_{way}", 0) for way in ("in", "out", "unknown"))
    return rest


def both_counts(plan, recording):
    """Returns what the plan and the recording count, by name: pairs of planned and recorded."""
    found, wanted = counted(recording), plan
    if found["copies_unknown"]:
        found, wanted = together(found), together(plan)
    return {name: (wanted[name], found[name]) for name in wanted if name in found}


def parts_of_pass(plan, recording):
    """Returns how many times what repeats would make the planned pass; 1 where that is no whole
    number."""
    counts = [pair for pair in both_counts(plan, recording).values() if pair != (0, 0)]
    parts = {planned // recorded if recorded and planned % recorded == 0 else 0
             for planned, recorded in counts}
    return parts.pop() if len(parts) == 1 and parts != {0} else 1


def misfits(plan, recording):
    """Returns where the recorded iteration is not what the plan says."""
    misses = [f"{name}: planned {planned}, recorded {recorded}"
              for name, (planned, recorded) in both_counts(plan, recording).items()
              if planned != recorded]
    unknown = sum(call["kind"] == "graph launch" and "graph" not in call
                  for call in recording["calls"])
    return misses + ([f"{unknown} launches of graphs that are not known"] if unknown else [])
