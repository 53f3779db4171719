"""One colour and one marker per variant, the same in every picture."""
import collections
import zlib

Look = collections.namedtuple("Look", "colour marker")
# Okabe and Ito's colours, which colour-blind readers tell apart; the marker serves without colour.
LOOKS = {
    "serial": Look("#4d4d4d", "s"), "streams": Look("#0072b2", "o"),
    "graph": Look("#d55e00", "^"), "pool": Look("#009e73", "D"),
    "malloc": Look("#e69f00", "X"), "graph_pool": Look("#cc79a7", "v"),
    "engines": Look("#56b4e9", "P"), "threads": Look("#332288", "*"),
    "graph_built": Look("#882255", "<"), "graph_update": Look("#aa4499", ">"),
    "graph_set": Look("#661100", "p"), "graph_coalesced": Look("#999933", "d"),
    "pool_trim": Look("#44aa99", "h"), "streams_kernels": Look("#6699cc", "8"),
    "graph_kernels": Look("#b8860b", "H"), "graph_fused": Look("#117733", (4, 1, 45)),
    "fused": Look("#000000", (6, 1, 0)),
}
_FURTHER = [Look(colour, marker) for marker, colour in zip(
    "P*<>pdh", ("#56b4e9", "#882255", "#999933", "#332288", "#44aa99", "#661100", "#aa4499"))]


def choose(names):
    """Name to Look. A name that LOOKS has not gets a further one by its letters, so it keeps it
    in every picture and file, unless another name took it; with too many names looks repeat."""
    found = {name: LOOKS[name] for name in names if name in LOOKS}
    free = list(_FURTHER)
    for name in sorted(set(names) - set(LOOKS)):
        free = free or list(_FURTHER)
        wanted = _FURTHER[zlib.crc32(name.encode()) % len(_FURTHER)]
        found[name] = free.pop(free.index(wanted) if wanted in free else 0)
    return found
