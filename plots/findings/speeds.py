"""Sentences on the findings page about how fast variants are on each preset."""
from findings.fields import Sentence, field

POLICIES = ("streams: allocated once", "pool: `--pool kept`", "opportunistic reuse on",
            "reuse by added dependencies on", "reuse after events off", "a pool per lane",
            "release threshold 0", "two allocations a chunk", "CUDA's own policy: `--pool default`")
PRESETS = ("transfer", "balanced", "compute", "reduce", "search")


def small(h):
    yield Sentence(f"`streams` makes {h.calls('launch', 'streams')} runtime calls a pass and "
                   f"spends {h.submit_share('launch', 'streams')} of its "
                   f"{h.wall('launch', 'streams')} µs in them.")
    yield Sentence(f"`fused` takes {h.wall('launch', 'fused')} µs. If the four stages must stay "
                   f"apart, `graph_coalesced` takes {h.wall('launch', 'graph_coalesced')} µs:",
                   h.is_in_order("launch", "fused", "graph_coalesced", "graph", "streams"))
    yield Sentence(f"The plain captured graph takes {h.wall('launch', 'graph')} µs, and")
    yield Sentence(f"(`graph_set`) is {h.speed('launch', 'graph_set')} times as fast as streams on "
                   f"launch, capturing again (`graph_update`) {h.speed('launch', 'graph_update')} "
                   "times. Neither gains anything on large copies.",
                   h.is_faster("launch", "graph_set") and not h.is_slower("launch", "graph_update")
                   and not h.is_faster("transfer", "graph_set")
                   and not h.is_faster("transfer", "graph_update"))
    yield Sentence(f"(`threads`) is {h.speed('launch', 'threads')} times as fast on launch, and "
                   "slower or no faster elsewhere.", h.is_faster("launch", "threads")
                   and not any(h.is_faster(preset, "threads") for preset in PRESETS))
    yield Sentence("A graph has recovered its set-up after "
                   f"{h.break_even('launch', 'graph')} passes on launch.")


def large(h):
    yield Sentence(f"`engines` is {h.speed('balanced', 'engines')} times as fast as four lanes on "
                   f"balanced and {h.speed('transfer', 'engines')} times on transfer. There it is "
                   f"{h.over_limit('transfer', 'engines')} above the limit, `streams` "
                   f"{h.over_limit('transfer', 'streams')} and the captured graph "
                   f"{h.over_limit('transfer', 'graph')}.",
                   h.is_faster("balanced", "engines") and h.is_faster("transfer", "engines"))
    yield Sentence(f"A graph is {h.speed('transfer', 'graph')} times as fast as streams on "
                   f"transfer and {h.speed('balanced', 'graph')} times on balanced.",
                   h.is_faster("transfer", "graph") and h.is_faster("balanced", "graph"))


def long(h):
    yield Sentence(f"`graph_fused` is {h.speed('compute', 'graph_fused')} times as fast as streams "
                   "on compute, because it reads, works and writes at once. On search the two tie, "
                   f"at {h.speed('search', 'graph_fused')} times the speed. Streams, graph and "
                   "pool do not differ by more than 2% there.",
                   h.is_faster("compute", "graph_fused") and h.ties("search", "graph_fused")
                   and all(h.is_within(0.02, preset, ("graph", "pool"))
                           for preset in ("compute", "search")))
    yield Sentence("two kernels take turns that would run side by side, and takes "
                   f"{h.times_as_long('search', 'engines')} times as long.",
                   h.is_slower("search", "engines"))


def pools(run, h):
    for place, policy in enumerate(POLICIES):
        cells = run.setting_cells(("launch", "transfer", "balanced"), place)
        yield Sentence(f"| {policy} | {' | '.join(cells)} |")
    yield Sentence("`cudaMalloc` per chunk takes "
                   f"{h.times_as_long('launch', 'malloc')} times as long as streams on launch and "
                   f"{h.times_as_long('balanced', 'malloc')} times on balanced.",
                   h.is_slower("launch", "malloc") and h.is_slower("balanced", "malloc"))


def limits(h):
    for preset in PRESETS:
        variant = h.fastest(preset)
        yield Sentence(f"| {preset} | {field(variant)} | {h.wall(preset, variant)} | "
                       f"{' | '.join(h.bound_cells(preset, variant))} |")


def cards(h200, h100):
    """The variants that people choose between, on both cards."""
    for card, run in (("H200", h200), ("H100", h100)):
        walls = (run.wall(preset, "streams") for preset in ("launch", *PRESETS))
        yield Sentence(f"| streams, µs, {card} | {' | '.join(walls)} |")
    for variant in ("graph", "pool", "engines", "graph_coalesced", "graph_kernels", "fused"):
        cells = (f"{h200.speed_alone(preset, variant)}, {h100.speed_alone(preset, variant)}"
                 for preset in ("launch", *PRESETS))
        yield Sentence(f"| {variant} | {' | '.join(cells)} |")
