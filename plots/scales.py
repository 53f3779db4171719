"""Axes and numbers that a person can read."""
from matplotlib import ticker


def time_unit(microseconds):
    """The unit in which times up to that one are readable: its name and its microseconds."""
    return ("µs", 1) if microseconds < 1e5 else ("ms", 1e3) if microseconds < 1e8 else ("s", 1e6)


def short(value):
    """Three significant digits or all whole ones, thousands set apart: 0.46, 12.3, 5,466."""
    return f"{value:,.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def linear(axes, high, room=1.06):
    axes.set_xlim(0, high * room or 1)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(4))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")


def logarithmic(axes, low, high, room=1.15, axis="x"):
    """A log scale whose ticks are few and plain numbers."""
    getattr(axes, f"set_{axis}scale")("log")
    getattr(axes, f"set_{axis}lim")(low / room, high * room)
    for steps in ((1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 5, 7), (1, 2, 5),
                  (1, 3), (1,)):
        ticks = [step * 10.0**power for power in range(-9, 13) for step in steps
                 if low / room <= step * 10.0**power <= high * room]
        if len(ticks) <= 6:
            break
    scale = getattr(axes, f"{axis}axis")
    scale.set_ticks(ticks[::-(-len(ticks) // 6) or 1])
    scale.set_minor_locator(ticker.NullLocator())
    scale.set_major_formatter(lambda value, _: f"{value:,.10g}")


def without_scale(axes):
    """For a panel in which no variant has a figure."""
    axes.set_xlim(0, 1)
    axes.set_xticks([])
