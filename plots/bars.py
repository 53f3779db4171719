"""Horizontal bars with quartiles and a number, and the key of their fills."""
import picture  # first: reports a missing matplotlib
import scales
from matplotlib import patches


def bar(axes, y, thickness, summary, scale, look, fill):
    """The bar of a mean at `y`, with a black line from quartile to quartile."""
    mean, q1, q3 = (summary[key] / scale for key in ("mean", "q1", "q3"))
    axes.barh(y, mean, thickness * 0.86, facecolor=look.colour, edgecolor=look.colour,
              linewidth=0.6, **fill)
    axes.plot([q1, q3], [y, y], color="black", linewidth=1)
    axes.annotate(scales.short(mean), (max(mean, q3), y), (3, 0), va="center",
                  textcoords="offset points", size=picture.NUMBER_SIZE - 0.5)


def set_scale(axes, summaries, room, clock="time"):
    """Fits the axis to the bars of `summaries`, with `room` for the number beside the longest one;
    returns the scale, by which times are divided."""
    high = max((summary[key] for summary in summaries for key in ("mean", "q3")), default=0)
    unit, scale = scales.time_unit(high)
    if summaries:
        scales.linear(axes, high / scale, room=room)
        axes.set_xlabel(f"{clock} ({unit})")
    else:
        scales.without_scale(axes)
    return scale


def key(figure, fills):
    """The key at the upper right: name to fill."""
    keys = [patches.Patch(edgecolor="#333333", facecolor="#333333", linewidth=0.6, label=name,
                          **fill) for name, fill in fills.items()]
    figure.legend(handles=keys, loc="upper right", ncol=len(keys), frameon=False,
                  bbox_to_anchor=(1, 1 - 0.04 / figure.get_figheight()), borderaxespad=0.2)
