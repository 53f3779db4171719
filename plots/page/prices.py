"""The table of what variants cost besides their passes."""
import statistics

import results as results_file
import setup
from page import figures, tables
from page.markup import Cell, table

_CLOCK_US = 0.1  # a smaller difference is below the clock's resolution


def prices(comparison, simulated):
    """The table; empty if nothing was priced."""
    rows = [_price(comparison, m) for m in comparison["measurements"] if setup.priced(m)]
    head = ("variant", "set-up [quartiles]", "first pass: extra", "tear-down",
            f"break-even [{tables.range_kind(simulated)}]", "device memory", "pool used, reserved")
    return rows and table(f"Set-up and memory, times in µs{simulated}", head, rows, "times")


def _price(comparison, measurement):
    price = measurement["price"]
    pays = ("reference" if measurement["variant"] == comparison["reference"]
            else setup.pays(measurement.get("break_even")))
    return [measurement["variant"],
            Cell(figures.quartiles(price["setup_us"]), statistics.median(price["setup_us"])),
            first(price), tables.microseconds(statistics.median(price["teardown_us"])),
            Cell(pays, (measurement.get("break_even") or {}).get("passes")),
            tables.size(statistics.median_low(price["device_bytes"])), _pool(price)]


def first(price):
    """The extra time of the first pass; 0 within noise and below the clock's resolution."""
    more = [first - last for first, last in zip(price["passes_us"][0], price["passes_us"][-1])]
    if not more:
        return ""
    low, middle, high = figures.spread(more)
    if low <= 0 <= high or abs(middle) < _CLOCK_US:
        return "0"
    return ("+" if middle > 0 else "") + figures.time(middle)


def _pool(price):
    """"8 KiB, 32 MiB": the most memory that a pool used and reserved; "graph 48 MiB" for a graph's
    own; empty if that equals the device memory beside it."""
    held = statistics.median_low(price["device_bytes"])
    used, reserved, graph = (price.get(key) or 0 for key in (
        "pool_used_high_bytes", "pool_reserved_high_bytes", "graph_reserved_bytes"))
    if graph not in (0, held):
        return f"graph {results_file.size_text(graph)}"
    if not reserved or used == reserved == held:
        return ""
    return f"{results_file.size_text(used)}, {results_file.size_text(reserved)}"
