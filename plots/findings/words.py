"""Figures in words."""
from findings.fields import UNKNOWN, field


def number(value):
    """"1,247", "56.7", "4.27": three digits, or all before the point."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def percent(share, digits=0):
    """With a digit more for what is near 0 or all."""
    return field(f"{share:.{max(digits, int(not 0.0995 < share < 0.985))}%}")


def interval(estimate, low, high):
    return field(f"{number(estimate)} [{number(low)}, {number(high)}]")


class Missing:
    """Stands for a file that is not there yet: every figure is unknown, every claim accepted."""

    def __getattr__(self, name):
        return lambda *_, **__: True if name.startswith("is_") else field(UNKNOWN)
