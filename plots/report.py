"""Makes one HTML file of a run, or of a recorded application: verdicts, tables, pictures, timelines
and the context. It needs no network to be made or read."""
import os
import string
from pathlib import Path

import picture  # first: reports a missing matplotlib
import command_line
import output_file
import results as results_file
import trace_file
from input_file import InputError
from output_file import OutputError
from page import (application, asked, changes, drawing, first, library, merged, pictures,
                  recorded, section, tables)
from page.markup import Raw, details, join, tag, text
from plain_text import plain

MOST_BYTES = 2_000_000
_PARTS = Path(__file__).resolve().parent / "page" / "parts"
_SCRIPTS = ("data.js", "draw.js", "timeline.js", "tables.js", "start.js")


def page(results, trace, code, licence, file, folders=changes.FOLDERS, also="", recording=None):
    """The HTML. If it gets too large, timelines lose their last operations and say so. `file` is
    the name of the results; `folders` may hold the variants' sources; `also` are more sections. Of
    a recording alone the results have no comparison."""
    _name(results["comparisons"])
    results["file"] = file
    sheet = drawing.Sheet()
    parts = _parts(results, recording, licence, folders, sheet)
    drawn = [_draw(sheet, results, comparison, trace) for comparison in results["comparisons"]]
    for most in (100_000, 2000, 500, 125, 30):
        sections = join(section.section(results, comparison, trace, figures, most)
                        for comparison, figures in zip(results["comparisons"], drawn))
        known = recorded.sections(recording, sheet, most) if recording else ""
        html = string.Template(_part("page.html")).substitute(
            parts, recorded=known, sections=sections, asked=also, drawings=sheet.css(),
            definitions=sheet.definitions(), library=Raw(code.replace("</script", "<\\/script")))
        if len(html.encode()) < MOST_BYTES:
            break
    return html


def page_of_many(found, path):
    """The HTML of a fleet or a history."""
    sheet = drawing.Sheet()
    parts = merged.parts(found, path, sheet)
    empty = dict.fromkeys(("banner", "recorded", "asked", "code", "advice", "context", "licence",
                           "library"), "")
    return string.Template(_part("page.html")).substitute(
        empty, **parts, style=Raw(_part("page.css")), script=Raw(_part("tables.js")),
        drawings=sheet.css(), definitions=sheet.definitions())


def _name(comparisons):
    """Gives each comparison its place and a name, with the shape if another has the same label."""
    labels = [results_file.label(c["workload"]) for c in comparisons]
    for place, (comparison, label) in enumerate(zip(comparisons, labels)):
        alike = labels.count(label) > 1
        shape = f", {results_file.shape(comparison['workload'])}" if alike else ""
        comparison.update(place=place, name=label + shape)


def _draw(sheet, results, comparison, trace):
    passes = [p for p in section.passes_of(trace, comparison)
              if p.variant in section.chosen(comparison)]
    return (pictures.of_comparison(sheet, results, comparison),
            pictures.of_timelines(sheet, trace, passes, comparison["name"]) if passes else "")


def _parts(results, recording, licence, folders, sheet):
    """Returns what stands around the sections of the comparisons."""
    machine = (f"{results_file.gpu(results['context'])} · an application, recorded" if recording
               else results_file.machine(results))
    replayed = results_file.all_replayed(results)
    front = (application.first_page(results, recording, sheet) if replayed
             else first.first(results, sheet))
    banner = tag("p", "Simulated, not measured", class_="banner")
    return {"title": text(f"Trilane: {machine}"), "machine": text(machine),
            "origin": text(results_file.origin(results)),
            "banner": banner if results_file.simulated(results) else "",
            "first": front, "context": section.context(results),
            # A replay's advice is a change of the application's code.
            "code": "" if replayed else changes.changes(results["comparisons"], folders),
            "advice": "" if replayed else details(tag("h2", "Advice, with break-even and memory"),
                                                  tag("div", tables.advice(results))),
            "licence": details(tag("h2", "Licence of D3"), tag(
                "p", "D3 draws the timelines."), tag("pre", licence)),
            "style": Raw(_part("page.css")), "script": Raw("".join(map(_part, _SCRIPTS)))}


def _part(name):
    return (_PARTS / name).read_text(encoding="utf-8")


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("files", metavar="RESULTS.json [TRACE.json] REPORT.html", nargs="+",
                        help="results that trilane --json or trilane record --results wrote; what "
                        "--trace wrote in the same run, without which there are no timelines; and "
                        "the report to write")
    parser.add_argument("--recording", metavar="RECORDING", help="written by trilane record --save,"
                        " of the same application as the results, which may then be left out")
    parser.add_argument("--merged", metavar="FILE", help="written by trilane merge, fleet or "
                        "history, for a page of its own")
    parser.add_argument("--answers", help="written by trilane ask --json, for a section of the "
                                          "report")
    parser.add_argument("--loop", help="written by trilane loop --json, for a section of the "
                                       "report")
    parser.add_argument("--program", default="trilane",
                        help="the trilane that prints these three (default: that of the PATH)")
    arguments = parser.parse_args()
    results_path, trace_path, report = _sorted_out(arguments)
    _check_output(report, filter(None, (results_path, trace_path, arguments.recording,
                                        arguments.answers, arguments.loop, arguments.merged)))
    if arguments.merged:
        _write(report, page_of_many(merged.load(arguments.merged), plain(arguments.merged)))
        return 0
    try:
        code, licence = library.find()
    except library.MissingLibrary as error:
        return command_line.complain(error, 4)
    recording = (recorded.load(arguments.program, arguments.recording) if arguments.recording
                 else None)
    results = (results_file.load(results_path) if results_path else
               {"context": recorded.context(recording), "comparisons": []})
    trace = trace_file.load(trace_path) if trace_path else None
    _check_same_run(results, trace)
    also = join((asked.answers(arguments.program, arguments.answers),
                 asked.loops(arguments.program, arguments.loop)))
    html = page(results, trace, code, licence, plain(results_path or arguments.recording),
                also=also, recording=recording)
    _write(report, html)
    for note in _notes(trace, html):
        command_line.complain(note, 0)
    return 0


def _write(report, html):
    try:
        output_file.write({report: html.encode()})
    except OSError as error:
        raise OutputError(f"'{report}'", error, "file",
                          "name a file in a folder that can be") from error


def _sorted_out(arguments):
    """The paths of the results, of the trace and of the report; the first two may be None."""
    *inputs, report = arguments.files
    alone = not any((arguments.recording, arguments.answers, arguments.loop))
    least, most = (0, 1) if arguments.recording else (1, 2)
    if arguments.merged:
        least, most = 0, 0 if alone else -1
    if not least <= len(inputs) <= most:
        raise InputError("name the results and the report; a recording has its own timeline, "
                         "and results may have a trace; --merged stands alone; see --help")
    return *inputs, *[None] * (2 - len(inputs)), Path(report)


def _check_output(report, inputs):
    """Refuses to overwrite an input when an argument was forgotten."""
    if report.suffix != ".html" or os.path.realpath(report) in map(os.path.realpath, inputs):
        raise InputError(f"'{report}' cannot become the report: name another file that ends in "
                         ".html as the last argument")


def _check_same_run(results, trace):
    labels = dict(enumerate(results_file.label(c["workload"]) for c in results["comparisons"]))
    for found in trace.passes if trace else ():
        if labels.get(found.comparison) != found.preset:
            raise InputError(f"the trace has {found.preset!r} as comparison {found.comparison}, "
                             "and the results do not: name the trace of the same run")


def _notes(trace, html):
    if trace and not trace.passes:
        yield "the trace holds no pass, so the report has no timelines"
    size = len(html.encode())
    if size >= MOST_BYTES:
        yield (f"the report takes {size / 1e6:.3g} MB and should take less than "
               f"{MOST_BYTES / 1e6:.3g}: compare fewer presets or variants at a time")


if __name__ == "__main__":
    command_line.run(main)
