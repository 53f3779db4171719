"""Sentences on the findings page about the machine: what makes variants fast or slow, and how far
to trust that."""
from findings.fields import Sentence

OVERLAPS = (("of the time of copies in, copies out ran on another lane", "transfer",
             "copy in", "copy out"),
            ("of the time of copies in, another lane's kernel ran", "balanced",
             "copy in", "kernel"),
            ("of the time of copies out, another lane's kernel ran", "balanced",
             "copy out", "kernel"),
            ("of the time of memsets, another lane's kernel ran, SMs not full", "search",
             "memset", "kernel"),
            ("the same with full SMs", "compute", "memset", "kernel"))
PLAIN = ("graph", "pool", "malloc", "threads", "engines", "graph_coalesced", "graph_kernels",
         "fused")
PRESETS = ("launch", "transfer", "balanced", "compute", "reduce", "search")


def launches(h, profile):
    yield Sentence(f"in nearly constant time: {profile.launch('kernel', 4)} µs for four nodes, "
                   f"{profile.launch('kernel', 1024)} µs for 1,024.")
    yield Sentence(f"at every launch: {profile.each('copy in')} µs for each copy in, "
                   f"{profile.each('copy out')} for each copy out, {profile.each('memset')} for "
                   "each memset.")
    yield Sentence("The captured graph of launch has "
                   f"{h.nodes('launch', 'graph', 'memcpy')} copies and "
                   f"{h.nodes('launch', 'graph', 'memset')} memsets, and takes "
                   f"{h.submit('launch', 'graph')} µs to submit.")
    yield Sentence(f"(`graph_coalesced`, {h.submit('launch', 'graph_coalesced')} µs) or none "
                   f"(`graph_kernels`, {h.submit('launch', 'graph_kernels')} µs, whose")
    yield Sentence(f"`graph_kernels` takes {h.wall('transfer', 'graph_kernels')} µs on transfer, "
                   f"the captured graph {h.wall('transfer', 'graph')} µs.",
                   h.is_in_order("transfer", "graph", "graph_kernels"))


def queues(eight, one):
    for variant in ("streams", "graph", "pool", "engines"):
        speeds = (one.speed_since(eight, preset, variant)
                  for preset in ("transfer", "balanced", "reduce"))
        yield Sentence(f"| {variant} | {' | '.join(speeds)} |")


def hosts(memory, waiting):
    def apart(run, which, variant="streams"):
        return run.apart("balanced", variant, which)
    yield Sentence(f"Pageable memory makes balanced {apart(memory, 1)} times as long with streams "
                   f"and {apart(memory, 1, 'graph')} times with a graph:")
    yield Sentence(f"Write-combined input takes {apart(memory, 2)} times as long, registered "
                   f"memory {apart(memory, 3)} times.")
    yield Sentence("Blocking instead of spinning makes a pass of balanced "
                   f"{apart(waiting, 2)} times as long with streams, yielding "
                   f"{apart(waiting, 1)} times.")


def overlaps(traced):
    for words, preset, of, other in OVERLAPS:
        shares = (traced.overlap(preset, variant, of, other)
                  for variant in ("streams", "graph", "pool"))
        yield Sentence(f"| {words} ({preset}) | {' | '.join(shares)} |")
    yield Sentence(f"Tracing adds {traced.tracing_adds('transfer', 'streams')} to streams on "
                   f"transfer and {traced.tracing_adds('launch', 'streams')} on launch.")


def regimes(found):
    yield Sentence(f"The map has {found.count()} cells of small work, from the launch preset: "
                   f"{found.clear()} have a clear winner. `fused` is fastest in "
                   f"{found.won('fused')}, `graph_fused` in {found.won('graph_fused')} and `graph` "
                   f"in {found.won('graph')}.")


def curve(chunks):
    best = [f"`{variant}` is fastest with {chunks.best(variant)} chunks, and takes at most 2% "
            f"longer with {chunks.flat(variant)}" for variant in ("streams", "graph", "engines")]
    yield Sentence(f"large transfer: {'; '.join(best)}.")


def prediction(found):
    near, of_near = found.ordered(1.2)
    far, of_far = found.ordered(1.5)
    yield Sentence(f"over {found.count()} variants and presets is {found.error(0.5)} in the "
                   f"median, {found.error(0.9)} at the 90th percentile and {found.error(1)} at "
                   f"most. The order is right for {near} of {of_near} pairs of variants that "
                   f"measured at least 1.2 times apart, and for {far} of {of_far} that are 1.5 "
                   "times apart.")


def trust(again, crossing):
    yield Sentence(f"a graph under two names: {again.held_truth()} intervals held the truth, which "
                   "is 1.")
    yield Sentence("a graph was predicted to recover its set-up after "
                   f"{crossing.break_even('launch', 'graph')} passes, and runs of real passes "
                   f"crossed after {crossing.break_even('launch', 'graph', proven=True)}. On "
                   f"balanced it was {crossing.break_even('balanced', 'graph')} and "
                   f"{crossing.break_even('balanced', 'graph', proven=True)}.")


def plain_programs(card, truth):
    yield Sentence(f"| {card} | {truth.inside()} | {truth.inside('launch')} | {truth.width()} | "
                   f"{truth.far()} | {truth.processes()} | {truth.seconds()} s |")
    for variant in PLAIN:
        cells = (truth.cell(variant, preset) for preset in PRESETS)
        yield Sentence(f"| {variant}, {card} | {' | '.join(cells)} |")
