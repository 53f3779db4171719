"""The first page on an application that was recorded, replayed, or both: the answers first."""
from page import first, pictures, recorded
from page.markup import tag
import ratios
import results as results_file


def first_page(results, recording, sheet):
    """`recording` may be None, and `results` then has comparisons."""
    comparisons = results["comparisons"]
    simulated = results_file.simulated(results)
    said = [*first.answers(results),
            *(recorded.answers(recording, bool(comparisons)) if recording else ())]
    hint = tag("p", "Speed-up over the same calls by wall time, with the "
               f"{ratios.kind(simulated)}. Hollow: that contains 1. Bold: the best. Bound: not "
               "every program can do without the host's waits.", class_="hint")
    drawn = pictures.of_contenders(sheet, comparisons) if comparisons else ""
    made_by = results["context"].get("command_line")
    return tag("section", first.definitions(said), first.doubts(results),
               drawn, hint if drawn else "",
               recorded.picture(recording, sheet) if recording else "", first.made(made_by),
               class_="first")
