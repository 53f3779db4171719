"""Figures in words, as the tables of the report have them."""
import statistics

import scales
from results import size_text


def time(us):
    """Microseconds: "1,284", "60.6", "0.150", "−2.00"."""
    if us == 0:
        return "0"
    if us < 0:
        return "−" + time(-us)
    return "<0.001" if us < 0.0005 else f"{us:.3f}" if us < 0.995 else scales.short(us)


def speed(times):
    return f"{times:.{3 if times < 10 else 1}f}"


def percent(share):
    return f"{100 * share:.{0 if share >= 0.0995 else 1}f}%" if share else "0%"


def quartiles(values):
    """"122 [107, 133]": the median and the quartiles."""
    if len(values) < 2:
        return time(values[0]) if values else ""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{time(middle)} [{time(low)}, {time(high)}]"


def labelled(key, value):
    """A pair of words from a record's field: ("copy in", "154 µs") of copy_in_us."""
    name, _, unit = key.rpartition("_")
    if key == "us_per_mib":
        return "per MiB", f"{time(value)} µs"
    shown = {"us": lambda: f"{time(value)} µs", "gbps": lambda: f"{value:.3g} GB/s",
             "bytes": lambda: size_text(value)}
    if unit in shown and isinstance(value, (int, float)):
        return name.replace("_", " "), shown[unit]()
    return key.replace("_", " "), f"{value:,.4g}" if isinstance(value, (int, float)) else value
