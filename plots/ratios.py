"""Ratios of times, which are a variant's over the reference's, as speeds."""

PREDICTED = "model's error"  # what the range of a predicted ratio covers


def speed(ratio):
    return 1 / ratio["estimate"]


def bounds(ratio):
    """The range of the speed, low and high. None if the file has none: the low end of the ratio is
    then 0, because of too few rounds or an error that is not known, or the estimate is exact."""
    if not ratio["low"] or ratio["high"] / ratio["low"] < 1 + 1e-6:
        return None
    return 1 / ratio["high"], 1 / ratio["low"]


def remark(ratio):
    """"tie" or "inconclusive" if neither is faster for sure; else empty."""
    if not ratio["low"] <= 1 <= ratio["high"]:
        return ""
    return "inconclusive" if not ratio["low"] or ratio.get("covers") == PREDICTED else "tie"


def kind(simulated):
    """Returns what ranges of ratios and break-evens are, by whether the times are simulated."""
    return PREDICTED if simulated else "95% interval"
