"""Sentences of the top README.md."""
from findings import files, run
from findings.fields import Sentence


def sentences(folder=files.FOLDER):
    h = run.load(folder / "h200.json.gz")
    yield Sentence(f"On launch the captured graph is {h.speed('launch', 'graph')} times as fast as "
                   "streams, one copy each way with captured kernels "
                   f"{h.speed('launch', 'graph_coalesced')} times, one fused kernel on mapped host "
                   f"memory {h.speed('launch', 'fused')} times.",
                   h.is_faster("launch", "graph"))
    yield Sentence(f"One stream per engine is {h.speed('balanced', 'engines')} times as fast as "
                   "streams on balanced, because its kernels share a hardware queue, and "
                   f"{h.speed('transfer', 'engines')} times on transfer, "
                   f"{h.over_limit('transfer', 'engines')} above the limit.",
                   h.is_faster("balanced", "engines") and h.is_faster("transfer", "engines"))
    yield Sentence("Streams, graph and pool do not differ there by more than 2%; one stream per "
                   f"engine takes {h.times_as_long('search', 'engines')} times as long on search.",
                   h.is_slower("search", "engines")
                   and all(h.is_within(0.02, preset, ("graph", "pool"))
                           for preset in ("compute", "search")))
    yield Sentence(f"on balanced it is {h.speed('balanced', 'pool')} times as fast as memory "
                   "allocated once. `cudaMalloc` per chunk takes "
                   f"{h.times_as_long('balanced', 'malloc')} times as long.",
                   h.is_slower("balanced", "malloc"))
    answers = files.found(folder)
    yield Sentence("one executable graph that is launched on two streams runs in turn, a host "
                   "function comes much later than the host sees a polled event, and a slow one "
                   "holds up those of other streams.",
                   not answers or (answers.get("two_streams") == "no"
                                   and answers.get("host_function_late") == "yes"
                                   and answers.get("host_function_holds_up") == "yes"))
