"""Shows what a recording says of an application, which trilane diagnose puts into words: the
answers of the first page, sections on time, findings and races, and the timeline of an
iteration."""
import collections
import re
import tempfile
from pathlib import Path

import diagnosis as diagnosis_file
import iteration
import trace_file
from page import figures, markdown, pictures, tables, timelines
from page.markup import details, join, table, tag

# The diagnosis, its sections in words, and the trace of an iteration.
Recording = collections.namedtuple("Recording", "diagnosis sections trace")
_CAPTIONS = {"why the GPU is idle": "Why the GPU is idle", "the host's time": "The host",
             "part of the critical path": "The critical path"}
_MOST_CALLS = 300  # in the table of calls
_OPEN = ("Findings", "Races")  # what a reader should not have to search for


def load(program, path):
    """Returns what the program makes of the recording in the file at `path`; raises InputError."""
    with tempfile.TemporaryDirectory(prefix="trilane-") as folder:
        diagnosis, trace = (str(Path(folder) / name) for name in ("diagnosis", "trace"))
        words = markdown.printed(program, "diagnose", path, "--all", "--markdown", "--json",
                                 diagnosis, "--trace", trace)
        said = re.sub(r"(?<=\d) us\b", " µs", words)
        return Recording(diagnosis_file.load(diagnosis), list(markdown.sections(said)),
                         trace_file.load(trace))


def context(recording):
    """The context of results, as far as a recording has one."""
    found = recording.diagnosis
    machine = found["machine"]
    return {"simulated": machine["gpu"] if diagnosis_file.simulated(found) else "",
            "gpu": {"name": machine["gpu"], "driver_version": machine["driver"],
                    "cuda_runtime_version": machine["cuda"]}}


def answers(recording, replayed):
    """Pairs of a question and its answer. Without a replay also what a graph could replace."""
    found = recording.diagnosis
    idle, *bound = [figures.sentence(words) for words in _paragraphs(recording)]
    if not replayed:
        yield "Faster?", " ".join((*bound, "Not measured: trilane record --results FILE measures "
                                   "it in the application."))
    if found["calls"]:
        yield "Host code", _host_code(found)
    yield "GPU", idle


def _paragraphs(recording):
    """The program's sentences on the whole iteration."""
    first = recording.sections[0]
    words = [markdown.sentence(block) for block in first.blocks if not markdown.is_table(block)]
    return words if first.more else words[1:]  # a long title is a paragraph of its own


def _host_code(found):
    own, period = diagnosis_file.own_code_us(found), found["period_us"]
    share = f" ({figures.percent(min(own / period, 1))})" if period else ""
    return (f"The application's own code takes {figures.time(own)} of {figures.time(period)} µs of "
            f"an iteration{share}. No way of issuing the same work changes that.")


def picture(recording, sheet):
    """Returns where the time of an iteration goes; empty for a recording without calls."""
    if not recording.diagnosis["calls"]:
        return ""
    return pictures.figure(sheet, iteration.draw(recording.diagnosis),
                           "Where an iteration's time goes")


def sections(recording, sheet, most):
    """The tables, findings and races, folded, and the timeline."""
    first, *others = recording.sections
    shown = [_html(block, first.title) for block in first.blocks if markdown.is_table(block)]
    time = details(tag("h2", "Idle time, the host, and the critical path"), tag("div", *shown),
                   class_="always") if shown else ""
    said = [details(tag("h2", found.title),
                    tag("div", *(_html(block, found.title) for block in found.blocks)),
                    open=found.title in _OPEN or None, class_="always") for found in others]
    return join((time, *said, _timeline(recording, sheet, most), _calls(recording)))


def _html(block, title):
    caption = markdown.head_of(block) if markdown.is_table(block) else title
    return markdown.html(block, _CAPTIONS.get(caption, caption))


def _timeline(recording, sheet, most):
    passes = recording.trace.passes
    if not any(found.calls for found in passes):
        return ""
    return details(tag("h2", "Timeline"),
                   tag("div", timelines.of_recording(recording.trace, most), class_="screen"),
                   tag("div", pictures.of_timelines(sheet, recording.trace, passes, "an iteration"),
                       class_="printed"), class_="always")


def _calls(recording):
    """The calls by the numbers that findings and races give them."""
    calls = [call for found in recording.trace.passes for call in found.calls]
    rows = [[f"call {number}", call.name, "" if call.stream is None else call.stream,
             *map(tables.microseconds, (call.start, call.duration))]
            for number, call in enumerate(calls[:_MOST_CALLS])]
    left = len(calls) - len(rows)
    caption = "The calls of an iteration, times in µs" + (
        f"; the last {left:,} are left out" if left else "")
    return rows and details(tag("h2", "Calls"),
                            table(caption, ("call", "function", "stream", "starts", "takes"), rows))
