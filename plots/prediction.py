"""Compares predicted with measured wall times."""
import collections
import itertools

import numpy

import results as results_file
from input_file import InputError
from plain_text import cut

FACTORS = (1.2, 1.5)  # between measured times whose order counts

Pair = collections.namedtuple("Pair", "place slow fast measured predicted")


def load(measured_path, predicted_path):
    """Measured and simulated results of the same workloads and variants, both in measured order.
    Raises InputError."""
    measured, predicted = map(results_file.load, (measured_path, predicted_path))
    if profile := results_file.simulated(measured):
        raise InputError(f"'{measured_path}' was simulated, with {profile}: name the "
                         "measured file first and the simulated one second")
    if not results_file.simulated(predicted):
        raise InputError(f"'{predicted_path}' was measured and not simulated: name second "
                         "a file written by trilane-sim --json")
    if wrong := _difference(measured, predicted):
        raise InputError(f"'{measured_path}' and '{predicted_path}' differ in more than "
                         f"times, {wrong}: write both with the same options")
    for here, there in zip(measured["comparisons"], predicted["comparisons"]):
        by_name = {m["variant"]: m for m in there["measurements"]}
        there["measurements"] = [by_name[m["variant"]] for m in here["measurements"]]
    return measured, predicted


def _difference(measured, predicted):
    """Returns what prevents a comparison, in words; empty if nothing does."""
    names = [", ".join(results_file.label(c["workload"]) for c in results["comparisons"])
             for results in (measured, predicted)]
    if names[0] != names[1]:
        return f"presets {names[0]} against {names[1]}"
    for two in zip(measured["comparisons"], predicted["comparisons"]):
        name = results_file.label(two[0]["workload"])
        shapes = [{**c["workload"], "mode": c["mode"],
                   "variants": ", ".join(sorted(m["variant"] for m in c["measurements"])) or "none"}
                  for c in two]
        for key in sorted(shapes[0].keys() | shapes[1].keys()):
            values = [shape.get(key) for shape in shapes]
            if values[0] != values[1]:
                return f"{name} with {key} {cut(str(values[0]))} against {cut(str(values[1]))}"
    return ""


def cells(measured, predicted):
    """Per comparison its name and a dict of variant to both wall means, if both have one."""
    for here, there in zip(measured["comparisons"], predicted["comparisons"]):
        yield results_file.label(here["workload"]), {
            m["variant"]: (m["wall"]["mean"], p["wall"]["mean"])
            for m, p in zip(here["measurements"], there["measurements"])
            if m["status"] == p["status"] == "ok"}


def pairs(measured, predicted, factor):
    """All pairs of variants in a comparison whose measured times differ by at least `factor`, with
    the ratio of slow to fast, measured and predicted."""
    for place, walls in cells(measured, predicted):
        for two in itertools.combinations(walls, 2):
            slow, fast = sorted(two, key=lambda variant: -walls[variant][0])
            ratios = [walls[slow][which] / walls[fast][which] for which in (0, 1)]
            if ratios[0] >= factor:
                yield Pair(place, slow, fast, *ratios)


def summary(measured, predicted):
    """Lines that say how good the prediction is, with every pair in the wrong order."""
    errors = [abs(forecast / time - 1) for _, walls in cells(measured, predicted)
              for time, forecast in walls.values()]
    whole = sum(len(c["measurements"]) for c in measured["comparisons"])
    yield f"{len(errors)} of {whole} wall times have a prediction"
    if errors:
        yield (f"relative error: median {numpy.quantile(errors, 0.5):.1%}, "
               f"90th percentile {numpy.quantile(errors, 0.9):.1%}, largest {max(errors):.1%}")
    for factor in FACTORS:
        found = list(pairs(measured, predicted, factor))
        wrong = [pair for pair in found if pair.predicted <= 1]
        share = f" ({1 - len(wrong) / len(found):.1%})" if found else ""
        yield (f"pairs at least {factor} times apart: {len(found) - len(wrong)} of {len(found)} "
               f"in the right order{share}")
        for pair in wrong:
            yield (f"  {pair.place}: {pair.slow} over {pair.fast}: {pair.measured:.2f} measured, "
                   f"{pair.predicted:.2f} predicted")
