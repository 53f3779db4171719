"""One colour and one marker per variant, the same in every picture: by its execution model."""
import collections
import zlib

Model = collections.namedtuple("Model", "issuer chaining scratch mover")
Look = collections.namedtuple("Look", "colour marker")
_BY_CHUNK, _FUSED = "copy engines, each chunk", "fused kernels, each chunk"
# By name, for files that do not state models: maps of regimes, and results before version 4.
MODELS = {
    "serial": Model("host, waiting", "one stream", "lane", _BY_CHUNK),
    "streams": Model("host", "lanes", "lane", _BY_CHUNK),
    "engines": Model("host", "engines", "lane", _BY_CHUNK),
    "threads": Model("host threads", "lanes", "lane", _BY_CHUNK),
    "graph": Model("graph", "lanes", "lane", _BY_CHUNK),
    "graph_early": Model("graph", "lanes, early kernels", "lane", _BY_CHUNK),
    "graph_built": Model("graph", "data edges", "lane", _BY_CHUNK),
    "graph_update": Model("graph, updated", "lanes", "lane", _BY_CHUNK),
    "graph_set": Model("graph, set", "data edges", "lane", _BY_CHUNK),
    "graph_coalesced": Model("graph", "lanes", "pass", "copy engines, whole pass"),
    "batch": Model("graph", "lanes", "pass", "copy engines, batches"),
    "pool": Model("host", "lanes", "pool", _BY_CHUNK),
    "pool_trim": Model("host", "lanes", "trimmed pool", _BY_CHUNK),
    "malloc": Model("host", "lanes", "cudaMalloc", _BY_CHUNK),
    "graph_pool": Model("graph", "lanes", "graph nodes", _BY_CHUNK),
    "streams_kernels": Model("host", "lanes", "lane", "kernels"),
    "graph_kernels": Model("graph", "lanes", "lane", "kernels"),
    "graph_fused": Model("graph", "lanes", "none", _FUSED),
    "fused": Model("host", "one stream", "none", "fused kernel, whole pass"),
}
# Okabe and Ito's colours, which colour-blind readers tell apart; the marker serves without colour.
LOOKS = {
    MODELS["serial"]: Look("#4d4d4d", "s"), MODELS["streams"]: Look("#0072b2", "o"),
    MODELS["graph"]: Look("#d55e00", "^"), MODELS["pool"]: Look("#009e73", "D"),
    MODELS["malloc"]: Look("#e69f00", "X"), MODELS["graph_pool"]: Look("#cc79a7", "v"),
    MODELS["engines"]: Look("#56b4e9", "P"), MODELS["threads"]: Look("#332288", "*"),
    MODELS["graph_built"]: Look("#882255", "<"), MODELS["graph_update"]: Look("#aa4499", ">"),
    MODELS["graph_early"]: Look("#ee7799", (3, 0, 60)),
    MODELS["graph_set"]: Look("#661100", "p"), MODELS["graph_coalesced"]: Look("#999933", "d"),
    MODELS["batch"]: Look("#ddaa77", (5, 1, 0)),
    MODELS["pool_trim"]: Look("#44aa99", "h"), MODELS["streams_kernels"]: Look("#6699cc", "8"),
    MODELS["graph_kernels"]: Look("#b8860b", "H"), MODELS["graph_fused"]: Look("#117733", (4, 1, 45)),
    MODELS["fused"]: Look("#000000", (6, 1, 0)),
}
# For candidates of a replay that share their name with no variant.
CANDIDATES = {"calls": Look("#0072b2", "o"), "pinned": Look("#56b4e9", "P"),
              "fewer_waits": Look("#7f7f7f", "*")}
_NO_MODEL = Look("#7f7f7f", "s")
# Variants of one model, such as pool policies: paler or darker colours, and other markers.
_SHADES = (0.3, -0.3, 0.5, -0.5, 0.15, -0.15)
_MARKERS = ((4, 1, 0), (5, 1, 180), (8, 1, 0), (3, 1, 0), (7, 1, 0), (3, 1, 180))



def choose(names, models=None):
    """Maps names to Looks. `models` has the models that a file states, by name. A variant in MODELS
    or CANDIDATES has its own look. Any other gets a variation of it that follows from its letters, so that it
    is the same in every picture, unless another name took it. With too many names looks repeat."""
    found = {name: LOOKS[MODELS[name]] for name in names if name in MODELS}
    found.update((name, CANDIDATES[name]) for name in names if name in CANDIDATES)
    for name in sorted(set(names) - set(found)):
        model = (models or {}).get(name) or MODELS.get(name.partition(":")[0])
        found[name] = _step_from(LOOKS.get(model, _NO_MODEL), name, set(found.values()))
    return found


def stated_models(results):
    """The models in a results file, by the variant's name; older files state none."""
    stated = {measurement["variant"]: measurement.get("plan", {}).get("model")
              for comparison in results["comparisons"] for measurement in comparison["measurements"]}
    return {name: Model(*(model[field] for field in Model._fields))
            for name, model in stated.items() if model}


def _step_from(base, name, taken):
    first = zlib.crc32(name.encode())
    steps = [Look(_shade(base.colour, _SHADES[step % len(_SHADES)]),
                  _MARKERS[(step + turn) % len(_MARKERS)])
             for turn in range(len(_MARKERS)) for step in range(first, first + len(_SHADES))]
    return next((look for look in steps if look not in taken), steps[0])


def _shade(colour, part):
    """The colour moved by that part towards white, or towards black if it is negative."""
    end = 255 if part > 0 else 0
    channels = (int(colour[at:at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(channel + abs(part) * (end - channel)):02x}"
                         for channel in channels)
