"""The tiers of variants: how far a program must change to follow one."""
import looks

TIERS = ("same operations", "moved together", "rewritten")
_SAME, _MOVED, _REWRITTEN = TIERS
_BY_MOVER = {"copy engines, each chunk": _SAME, "copy engines, whole pass": _MOVED,
             "copy engines, batches": _MOVED,
             "kernels": _REWRITTEN, "fused kernels, each chunk": _REWRITTEN,
             "fused kernel, whole pass": _REWRITTEN}


def of(variant, model=None):
    """The tier of a variant by the model that its file states, or else by its name; None if neither
    tells."""
    known = looks.MODELS.get(variant.partition(":")[0])
    mover = model["mover"] if model else known and known.mover
    return _BY_MOVER.get(mover)


def is_bound(measurement):
    """Returns true if it shows only what could be gained at most, because a program may not be able
    to run so."""
    model = measurement.get("plan", {}).get("model")
    return bool(model) and model["chaining"] == "recorded, one wait"


def groups(comparison):
    """Pairs of a tier and its measurements, in the order of the tiers; those of no known tier come
    last."""
    found = {tier: [] for tier in (*TIERS, None)}
    for measurement in comparison["measurements"]:
        model = measurement.get("plan", {}).get("model")
        found[of(measurement["variant"], model)].append(measurement)
    return [(tier, members) for tier, members in found.items() if members]


def winners(comparison):
    """The file's winner of each tier that was timed; older files name none."""
    return {winner["tier"]: winner for winner in comparison.get("winners") or ()}


def contenders(comparison):
    """The measurements that a reader compares first: the reference, streams, graph and pool, and
    the winners, in the order of the tiers; all candidates of a replay that were timed."""
    if "application" in comparison["workload"]:
        return [m for m in comparison["measurements"] if m["status"] == "ok"]
    wanted = {comparison["reference"], "streams", "graph", "pool",
              (comparison.get("advice") or {}).get("use"),
              *(winner["variant"] for winner in winners(comparison).values())}
    return [m for _, members in groups(comparison) for m in members if m["variant"] in wanted]
