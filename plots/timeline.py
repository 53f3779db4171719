"""Draws the first chunks of every variant's traced pass on one time axis, by comparison."""
import re

import timeline_picture  # first: reports a missing matplotlib
import command_line
import trace_file
from input_file import InputError
from matplotlib import pyplot
from plain_text import cut


def chosen(trace, presets, variants):
    """A comparison's name to its passes of the requested presets and variants; raises InputError if
    the trace lacks one."""
    if not trace.passes:
        raise InputError("the trace holds no pass, so there is nothing to draw: run trilane "
                         "--trace on at least one variant that runs here")
    for kind, asked in (("preset", presets), ("variant", variants)):
        there = list(dict.fromkeys(getattr(found, kind) for found in trace.passes))
        for name in asked or ():
            if name not in there:
                raise InputError(f"the trace has no {kind} {name!r}: it has "
                                 + cut(", ".join(there), 400))
    names, groups = trace.names(), {}
    for found in trace.passes:
        if found.preset in (presets or [found.preset]) and (
                found.variant in (variants or [found.variant])):
            groups.setdefault(names[found.comparison], []).append(found)
    return groups


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("trace", metavar="TRACE.json", help="written by trilane --trace")
    parser.add_argument("folder", metavar="OUTDIR", help="gets timeline-PRESET.png and .svg, "
                        "numbered where a preset occurs several times")
    parser.add_argument("--preset", type=lambda text: text.split(","), help="A,B: only these")
    parser.add_argument("--variant", type=lambda text: text.split(","), help="A,B: only these")
    parser.add_argument("--chunks", type=int, default=8, help="how many to show (default: 8)")
    arguments = parser.parse_args()
    if arguments.chunks < 1:
        raise InputError(f"--chunks {arguments.chunks} shows nothing: name at least 1")
    trace = trace_file.load(arguments.trace)
    groups = chosen(trace, arguments.preset, arguments.variant)
    for name, passes in groups.items():
        figure = timeline_picture.draw(trace, passes, arguments.chunks)
        file = "timeline-" + re.sub(r"\W+", "-", name).strip("-")
        command_line.save(figure, arguments.folder, file)
        pyplot.close(figure)


if __name__ == "__main__":
    command_line.run(main)
