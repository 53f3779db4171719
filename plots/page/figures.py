"""Numbers as text for the tables of the report."""
import re
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


def spread(values):
    """Lower quartile, median and upper quartile."""
    return (statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1
            else [values[0]] * 3)


def quartiles(values):
    """"122 [107, 133]": median and quartiles."""
    if not values:
        return ""
    low, middle, high = map(time, spread(values))
    return f"{middle} [{low}, {high}]"


def sentence(said):
    """A sentence of the program, or None, with µs and with separators in thousands. Names before
    the first colon stay as they are."""
    names, colon, rest = (said or "").partition(": ")
    if not colon:
        names, rest = "", names
    rest = re.sub(r"(?<![\w.-])\d{4,18}(?![\w-]|\.\d)", lambda number: f"{int(number[0]):,}", rest)
    return names + colon + re.sub(r"(?<=\d) us\b", " µs", rest)


def labelled(key, value):
    """Name and value of a record's field as text: ("copy in", "154 µs") for copy_in_us."""
    name, _, unit = key.rpartition("_")
    if key == "us_per_mib" and isinstance(value, (int, float)):
        return "per MiB", f"{time(value)} µs"
    shown = {"us": lambda: f"{time(value)} µs", "gbps": lambda: f"{value:.3g} GB/s",
             "bytes": lambda: size_text(value)}
    if unit in shown and isinstance(value, (int, float)):
        return name.replace("_", " "), shown[unit]()
    return key.replace("_", " "), f"{value:,.4g}" if isinstance(value, (int, float)) else value
