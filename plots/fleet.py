"""Draws each GPU of a fleet beside the others, and marks the odd ones: a few GPUs side by side, many
as a strip for each variant."""
import textwrap

import picture  # first: reports a missing matplotlib
import columns
import command_line
import history
import input_file
import looks
from schema import printed, without

BESIDE = 16  # more GPUs than these are drawn as strips
_GREY, _ODD = "#777777", "#d55e00"
_LEAST_PERCENT = 1  # the scale is linear up to this, and logarithmic beyond
_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000)
_KIND = input_file.Kind("trilane-fleet", (1,), "fleet", "trilane merge or fleet with --json",
                        without(printed("fleet"), {"runs"}))


def load(path):
    """The judgement in the file at `path`, without the runs; raises InputError."""
    found = input_file.load(path, _KIND, before=b'\n  "runs": [')
    names = {machine["name"] for machine in found["machines"]}
    known = {figure["name"]: figure["relative"] for figure in found["figures"]}
    wrong = [name for name, relative in known.items()
             if not relative.keys() <= names or min(relative.values(), default=0) <= 0]
    wrong += [variant["variant"] for workload in found["workloads"]
              for variant in workload["variants"]
              if any(factor <= 0 for factor in variant.get("ratio", {}).values())]
    wrong += [figure["name"] for odd in found["odd"] for figure in odd["figures"]
              if odd["machine"] not in known.get(figure["name"], ())]
    if wrong:
        raise input_file.InputError(f"{str(path)!r} has times of {wrong[0]!r} that are not above 0, "
                                    "or a GPU that it does not list: run trilane merge again")
    return found


def draw(found):
    panels = panels_of(found)
    many = len(found["machines"]) > BESIDE
    sizes = [max(5, len(rows)) * 0.2 if many else max(2.2, len(rows) * 0.14)
             for rows in panels.values()]
    names = 0.1 if many or flat(found) else 0.3 + 0.065 * longest(found)
    said = textwrap.wrap(found["verdict"], 120)
    head, gap = 0.95 + 0.14 * len(said), 0.45 + names
    height = head + sum(sizes) + gap * len(sizes)
    figure = picture.blank(9, height)
    picture.note(figure, f"{len(found['machines'])} GPUs", 0.12, size=13, weight="bold")
    picture.note(figure, "\n".join(said), 0.4, size=8)
    picture.note(figure, "time over the mean of those that do not differ · grey band: differences "
                 "that are not named · " + ("a line of points is a row; coloured: odd" if many else
                                            "orange: an odd GPU, with what differs ringed"),
                 head - 0.45, color=_GREY)
    bottom = height - head
    left, right = (0.19, 0.76) if many else (0.09, 0.79)
    for (title, rows), size in zip(panels.items(), sizes):
        axes = figure.add_axes((left, (bottom - size) / height, right - left, size / height))
        axes.set_title(title, loc="left")
        (draw_strips if many else draw_beside)(axes, rows, odd_in(found, title), found)
        bottom -= size + gap
    return figure


def panels_of(found):
    """The rows of each workload, in the order of the files, then of the costs."""
    panels = history.panels_of({"curves": found["figures"]})
    order = [workload["workload"] for workload in found["workloads"]]
    return {title: panels[title] for title in (*order, *sorted({*panels} - {*order}))
            if title in panels}


def odd_in(found, title):
    """By machine, the variants or costs that differ in a panel."""
    odd = {machine["machine"]: [figure["name"].partition(" on ")[0] for figure in machine["figures"]
                                if history.panel_of(figure["name"]) == title]
           for machine in found["odd"]}
    return {machine: names for machine, names in odd.items() if names}


def longest(found):
    return max(len(short(machine["name"])) for machine in found["machines"])


def flat(found):
    """Returns true if the names of all GPUs have room beside each other."""
    return longest(found) * len(found["machines"]) < 70


def short(name):
    return name if len(name) <= 20 else f"…{name[-19:]}"


def percent(ratio):
    return 100 * (ratio - 1)


def scale(axes, which, found, rows):
    """Percent, with a grey band of differences that are not named."""
    least = 100 * found["differs_from"]
    values = [percent(value) for _, relative in rows for value in relative.values()]
    getattr(axes, f"set_{which}scale")("symlog", linthresh=_LEAST_PERCENT, linscale=0.6)
    axes.minorticks_off()
    low, high = min(*values, -1.5) * 1.25, max(*values, 1.5) * 1.25
    getattr(axes, f"set_{which}lim")(low, high)
    ticks = [tick for size in _TICKS for tick in {-size, size} if low < tick < high]
    getattr(axes, f"set_{which}ticks")(ticks, [f"{tick:+g}%" if tick else "0" for tick in ticks])
    (axes.axvspan if which == "x" else axes.axhspan)(-least, least, color="#ececec", linewidth=0,
                                                     zorder=0)


def draw_beside(axes, rows, odd, found):
    """GPUs from left to right, a line for each variant."""
    machines = [machine["name"] for machine in found["machines"]]
    styles = looks.choose([name for name, _ in rows])
    for name, relative in rows:
        points = [(place, percent(relative[machine])) for place, machine in enumerate(machines)
                  if machine in relative]
        axes.plot(*zip(*points), label=name, marker=styles[name].marker, markersize=4,
                  linewidth=0.6, color=styles[name].colour)
        rings = [point for point in points if name in odd.get(machines[point[0]], ())]
        if rings:
            axes.plot(*zip(*rings), linestyle="none", marker="o", markersize=9, zorder=3,
                      markerfacecolor="none", markeredgecolor="black", markeredgewidth=1)
    scale(axes, "y", found, rows)
    axes.set_xlim(-0.5, len(machines) - 0.5)
    axes.set_xticks(range(len(machines)), map(short, machines),
                    rotation=0 if flat(found) else 90)
    for place, machine in enumerate(machines):
        if machine in odd:
            axes.axvspan(place - 0.4, place + 0.4, color=_ODD, alpha=0.2, linewidth=0, zorder=0)
            axes.get_xticklabels()[place].set(color=_ODD, weight="bold")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), fontsize=picture.NUMBER_SIZE,
                frameon=False, labelspacing=0.15, borderaxespad=0)


def draw_strips(axes, rows, odd, found):
    """A row for each variant, with a point for each GPU, top down in the order of files."""
    machines = {machine["name"]: place for place, machine in enumerate(found["machines"])}
    styles = looks.choose([name for name, _ in rows])
    place_in_row = {name: -0.35 + 0.7 * place / len(machines) for name, place in machines.items()}
    scale(axes, "x", found, rows)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.tick_params(axis="y", length=0)
    marked = {}
    for row, (name, relative) in enumerate(rows):
        axes.plot([percent(value) for value in relative.values()],
                  [row + place_in_row[machine] for machine in relative], linestyle="none",
                  marker=".", markersize=1.5, color=_GREY, rasterized=True)
        for machine in relative:
            if name in odd.get(machine, ()):
                point = percent(relative[machine]), row + place_in_row[machine]
                marked.setdefault(machine, []).append(point)
                axes.plot(*point, marker=styles[name].marker, markersize=5,
                          color=styles[name].colour, markeredgecolor="black", markeredgewidth=0.5)
    label(axes, marked, 1 + len(rows))


def label(axes, marked, most):
    """Names beside the panel, from the top down, each with a line to its GPU's furthest point."""
    furthest = sorted((max(points, key=lambda point: abs(point[0])), machine)
                      for machine, points in marked.items())
    chosen = sorted(furthest, key=lambda found: -abs(found[0][0]))[:most]
    chosen = sorted(chosen, key=lambda found: found[0][1])
    places = columns.heights(len(chosen) + (len(furthest) > len(chosen)))
    for (point, machine), height in zip(chosen, places):
        columns.connect(axes, point, height, _GREY)
        columns.name(axes, columns.PLACE + 0.01, height, short(machine), color=_ODD)
    if len(furthest) > len(chosen):
        columns.name(axes, columns.PLACE + 0.01, places[-1],
                     f"and {len(furthest) - len(chosen)} more", style="italic", color=_GREY)


if __name__ == "__main__":
    command_line.main("fleet", __doc__, draw, load, file="FLEET.json",
                      written_by="trilane merge or fleet with --json")
