"""Chooses the part of each pass that a picture of timelines shows."""
import dataclasses
import statistics

import trace_file


@dataclasses.dataclass
class Window(trace_file.Pass):
    """A pass from `starts_at` microseconds after its start on, without the calls before."""
    starts_at: float = 0
    calls_before: int = 0


def window(found, until):
    """The pass with its times from its start or, if its first operation starts in the second half
    of the time until `until`, from shortly before that operation."""
    begin = min((o.start for o in found.operations), default=0)
    start = begin - until / 20 if begin > until / 2 else 0

    def moved(items):
        return [dataclasses.replace(item, start=max(item.start, start) - start,
                                    duration=item.start + item.duration - max(item.start, start))
                for item in items if item.start + item.duration > start]
    calls = moved(found.calls)
    return Window(**{**vars(found), "calls": calls, "operations": moved(found.operations)},
                  starts_at=start, calls_before=len(found.calls) - len(calls))


def horizon(passes, chunks):
    """The end of the axis in microseconds: when half of the variants have finished the first
    chunks. Slower ones are cut off, so that they do not squeeze the others. Of a recording, the end
    of the iteration and of all its operations."""
    if all(found.recorded for found in passes):
        return max(1, *(found.event_us for found in passes),
                   *(1.02 * o.end for found in passes for o in found.operations))
    ends = [max((o.end for o in found.operations if o.chunk is not None and o.chunk < chunks),
                default=0) for found in passes]
    whole = [max((o.end for o in found.operations), default=0) for found in passes]
    return 1.02 * statistics.median_high(list(filter(None, ends)) or whole) or 1
