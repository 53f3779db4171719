"""Sentences of plots/results/README.md."""
from findings import files
from findings.fields import Sentence
from findings.words import Missing

POLICIES = ("streams: allocated once", "pool: `--pool kept`", "opportunistic reuse on",
            "reuse by added dependencies on", "reuse after events off", "a pool per lane",
            "release threshold 0", "two allocations a chunk", "CUDA's own policy: `--pool default`")
FASTEST = {"transfer": "engines", "balanced": "engines", "compute": "graph_fused",
           "reduce": "engines", "search": "graph_fused"}
OVERLAPS = (("of the time of copies in, copies out ran on another lane", "transfer",
             "copy in", "copy out"),
            ("of the time of copies in, another lane's kernel ran", "balanced",
             "copy in", "kernel"),
            ("of the time of copies out, another lane's kernel ran", "balanced",
             "copy out", "kernel"),
            ("of the time of memsets, another lane's kernel ran, SMs not full", "search",
             "memset", "kernel"),
            ("the same with full SMs", "compute", "memset", "kernel"))


def sentences(folder=files.FOLDER):
    run = files.runs(folder)
    yield from _origins(run, folder)
    yield from _small(run["h200"])
    yield from _large(run["h200"])
    yield from _long(run["h200"])
    yield from _pools(run["pools"], run["h200"])
    yield from _launches(run["h200"], files.Launches())
    yield from _queues(run["queues8"], run["queues1"])
    yield from _hosts(run["memory"], run["waiting"])
    yield from _limits(run["h200"])
    yield from _overlaps(run["traced"])
    yield from _map(files.Map(folder / "regimes.json"))
    path = folder / "chunks.json"
    yield from _curve(files.Curve(path) if path.exists() else Missing())
    yield from _prediction(files.Prediction(folder))
    yield from _trust(run["again"], run["crossing"])


def _origins(run, folder):
    yield Sentence(f"Measured on {run['h200'].machine()}. Each file")
    for name in files.NAMES:
        path = folder / f"{name}.json"
        origin = files.Context(path) if path.exists() else Missing()
        yield Sentence(f"| `{name}.json` | {origin.revision()} | "
                       f"`{origin.command()}` |")


def _small(h):
    yield Sentence(f"On launch, `streams` makes {h.calls('launch', 'streams')} runtime calls a pass "
                   f"and spends {h.submit_share('launch', 'streams')} of its "
                   f"{h.wall('launch', 'streams')} µs in them.")
    yield Sentence(f"`fused` takes {h.wall('launch', 'fused')} µs. If the four stages must stay "
                   f"apart, `graph_coalesced` takes {h.wall('launch', 'graph_coalesced')} µs:",
                   h.is_in_order("launch", "fused", "graph_coalesced", "graph", "streams"))
    yield Sentence(f"The plain captured graph takes {h.wall('launch', 'graph')} µs, and")
    yield Sentence(f"(`graph_set`) is {h.speed('launch', 'graph_set')} times as fast as streams on "
                   f"launch, capturing again (`graph_update`) {h.speed('launch', 'graph_update')} "
                   "times. Neither gains anything on large copies.",
                   h.is_faster("launch", "graph_set") and h.is_faster("launch", "graph_update")
                   and not h.is_faster("transfer", "graph_set")
                   and not h.is_faster("transfer", "graph_update"))
    yield Sentence(f"(`threads`) is {h.speed('launch', 'threads')} times as fast on launch, and "
                   "slower or no faster elsewhere.", h.is_faster("launch", "threads")
                   and not any(h.is_faster(preset, "threads") for preset in (*FASTEST,)))
    yield Sentence("A graph has recovered its set-up after "
                   f"{h.break_even('launch', 'graph')} passes on launch.")


def _large(h):
    yield Sentence(f"`engines` is {h.speed('transfer', 'engines')} times as fast as four lanes on "
                   f"transfer, {h.speed('balanced', 'engines')} times on balanced and "
                   f"{h.speed('reduce', 'engines')} times on reduce. On transfer it is "
                   f"{h.over_limit('transfer', 'engines')} above the limit, `streams` "
                   f"{h.over_limit('transfer', 'streams')} and the captured graph "
                   f"{h.over_limit('transfer', 'graph')}.",
                   all(h.is_faster(preset, "engines") for preset in
                       ("transfer", "balanced", "reduce")))
    yield Sentence(f"A graph gains {h.gain('balanced', 'graph')} on balanced, which recovers its "
                   f"set-up after {h.break_even('balanced', 'graph')} passes.",
                   h.is_faster("balanced", "graph"))


def _long(h):
    yield Sentence(f"`graph_fused` is {h.speed('compute', 'graph_fused')} times as fast as streams "
                   f"on compute and {h.speed('search', 'graph_fused')} times on search, because it "
                   "reads, works and writes at once. Streams, graph and pool do not differ by more "
                   "than 1% there.",
                   all(h.is_faster(preset, "graph_fused")
                       and h.is_within(0.01, preset, ("graph", "pool"))
                       for preset in ("compute", "search")))
    yield Sentence("two kernels take turns that would run side by side, and takes "
                   f"{h.times_as_long('search', 'engines')} times as long.",
                   h.is_slower("search", "engines"))


def _pools(pools, h):
    for place, policy in enumerate(POLICIES):
        cells = pools.setting_cells(("launch", "transfer", "balanced"), place)
        yield Sentence(f"| {policy} | {' | '.join(cells)} |")
    yield Sentence("`cudaMalloc` per chunk takes "
                   f"{h.times_as_long('launch', 'malloc')} times as long as streams on launch and "
                   f"{h.times_as_long('balanced', 'malloc')} times on balanced.",
                   h.is_slower("launch", "malloc") and h.is_slower("balanced", "malloc"))


def _launches(h, profile):
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


def _queues(eight, one):
    for variant in ("streams", "graph", "pool", "engines"):
        speeds = (one.speed_since(eight, preset, variant)
                  for preset in ("transfer", "balanced", "reduce"))
        yield Sentence(f"| {variant} | {' | '.join(speeds)} |")


def _hosts(memory, waiting):
    yield Sentence(f"Pageable memory makes balanced {memory.apart('balanced', 'streams', 1)} times as long "
                   f"with streams and {memory.apart('balanced', 'graph', 1)} times with a graph:")
    yield Sentence(f"Write-combined input takes {memory.apart('balanced', 'streams', 2)} times as long, "
                   f"registered memory {memory.apart('balanced', 'streams', 3)} times.")
    yield Sentence("Blocking instead of spinning makes a pass of balanced "
                   f"{waiting.apart('balanced', 'streams', 2)} times as long with streams, yielding "
                   f"{waiting.apart('balanced', 'streams', 1)} times.")


def _limits(h):
    for preset, variant in FASTEST.items():
        yield Sentence(f"| {preset} | {variant} | {h.wall(preset, variant)} | "
                       f"{' | '.join(h.bound_cells(preset, variant))} |",
                       h.is_fastest(preset, variant))


def _overlaps(traced):
    for words, preset, of, other in OVERLAPS:
        shares = (traced.overlap(preset, variant, of, other)
                  for variant in ("streams", "graph", "pool"))
        yield Sentence(f"| {words} ({preset}) | {' | '.join(shares)} |")
    yield Sentence(f"Tracing adds {traced.tracing_adds('transfer', 'streams')} to streams on "
                   f"transfer and {traced.tracing_adds('launch', 'streams')} on launch.")


def _map(found):
    yield Sentence(f"The map has {found.count()} cells of small work, from the launch preset: "
                   f"{found.clear()} have a clear winner. `fused` is fastest in "
                   f"{found.won('fused')}, `graph_fused` in {found.won('graph_fused')} and `graph` "
                   f"in {found.won('graph')}.", found.is_won_by("fused", "graph_fused", "graph"))


def _curve(chunks):
    best = [f"`{variant}` is fastest with {chunks.best(variant)} chunks, and takes at most 2% longer "
            f"with {chunks.flat(variant)}" for variant in ("streams", "graph", "engines")]
    yield Sentence(f"large transfer: {'; '.join(best)}.")


def _prediction(found):
    near, of_near = found.ordered(1.2)
    far, of_far = found.ordered(1.5)
    yield Sentence(f"over {found.count()} variants and presets is {found.error(0.5)} in the median, "
                   f"{found.error(0.9)} at the 90th percentile and {found.error(1)} at most. Of "
                   f"{of_near} pairs of variants that measured at least 1.2 times apart, {near} are "
                   f"predicted in the right order; of {of_far} that are 1.5 times apart, {far}.")


def _trust(again, crossing):
    yield Sentence(f"a graph under two names: {again.held_truth()} intervals held the truth, which is 1.")
    yield Sentence("a graph was predicted to recover its set-up after "
                   f"{crossing.break_even('launch', 'graph')} passes, and runs of real passes "
                   f"crossed after {crossing.break_even('launch', 'graph', proven=True)}. On "
                   f"balanced it was {crossing.break_even('balanced', 'graph')} and "
                   f"{crossing.break_even('balanced', 'graph', proven=True)}.")
