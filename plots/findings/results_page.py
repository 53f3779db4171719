"""Sentences of plots/results/README.md."""
from findings import causes, files, speeds
from findings.fields import Sentence
from findings.words import Missing


def sentences(folder=files.FOLDER):
    run = files.runs(folder)
    yield from _origins(run, folder)
    yield from speeds.small(run["h200"])
    yield from speeds.large(run["h200"])
    yield from speeds.long(run["h200"])
    yield from speeds.pools(run["pools"], run["h200"])
    yield from causes.launches(run["h200"], files.Launches())
    yield from causes.queues(run["queues8"], run["queues1"])
    yield from causes.hosts(run["memory"], run["waiting"])
    yield from speeds.limits(run["h200"])
    yield from causes.overlaps(run["traced"])
    yield from causes.regimes(files.Map(folder / "regimes.json.gz"))
    path = folder / "chunks.json.gz"
    yield from causes.curve(files.Curve(path) if path.exists() else Missing())
    yield from causes.prediction(files.Prediction(folder))
    yield from causes.trust(run["again"], run["crossing"])
    yield from speeds.cards(run["h200"], run["h100"])
    yield Sentence("more than 4% off, with a narrower interval")
    for card, name in (("H200", "truth"), ("H100", "truth_h100")):
        path = folder / f"{name}.json.gz"
        truth = files.Truth(path) if path.exists() else Missing()
        yield from causes.plain_programs(card, truth)


def _origins(run, folder):
    yield Sentence(f"Measured on {run['h200'].machine()}, and where it says so on "
                   f"{run['h100'].machine()}. Each file")
    for name in files.NAMES:
        path = folder / f"{name}.json.gz"
        origin = files.Context(path) if path.exists() else Missing()
        yield Sentence(f"| `{name}.json.gz` | {origin.revision()} | "
                       f"`{origin.command()}` |")
