"""The committed files that pages speak of."""
import collections
import json
from pathlib import Path

import nodes
import prediction
from findings import run
from findings.fields import UNKNOWN, field
from findings.words import number, percent

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "plots/results"
PROFILE = ROOT / "common/device/profile/h200.json"
# Every results file that remake.sh writes.
NAMES = ("h200", "traced", "pools", "memory", "waiting", "queues8", "queues1", "again", "crossing",
         "regimes", "chunks", "predicted")


def runs(folder=FOLDER):
    """Name to its Run, or Missing; without the files that are not results of trilane run."""
    return {name: run.load(folder / f"{name}.json") for name in NAMES
            if name not in ("regimes", "chunks")}


class Context:
    """Revision and command of any file, also of a map."""

    def __init__(self, path):
        self.context = json.loads(path.read_text(encoding="utf-8"))["context"]

    def revision(self):
        return field(self.context["git_revision"][:7])

    def command(self):
        return field(self.context["command_line"].replace("plots/results/", ""))


class Map:
    """What a sweep over two knobs found."""

    def __init__(self, path):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.cells = [cell for cell in cells if cell["status"] == "ok"]
        self.winners = collections.Counter(cell["winner"] for cell in self.cells)

    def count(self):
        return field(len(self.cells))

    def clear(self):
        return field(sum(not cell["tied"] for cell in self.cells))

    def won(self, variant):
        return field(self.winners[variant])


class Curve:
    """What a sweep over one knob found."""

    def __init__(self, path):
        found = json.loads(path.read_text(encoding="utf-8"))
        self.values, self.curves = found["columns"]["values"], found["curves"]

    def best(self, variant):
        optimum = self.curves[variant].get("optimum")
        return field(self.values[optimum["best"]] if optimum else UNKNOWN)

    def flat(self, variant):
        """The values around the best one that take hardly longer, or perhaps do not."""
        optimum = self.curves[variant].get("optimum")
        if not optimum:
            return field(UNKNOWN)
        sure = optimum["within"]["first"] != optimum["within"]["last"]
        ends = optimum["within" if sure else "perhaps"]
        return field(f"{'' if sure else 'perhaps '}{self.values[ends['first']]} to "
                     f"{self.values[ends['last']]}")


class Launches:
    """The host time of launching graphs of one kind of node, by the profile."""

    def __init__(self, path=PROFILE):
        self.points = {kind: dict(points) for kind, points
                       in nodes.launches(nodes.load(path)).items()}

    def launch(self, kind, count):
        return field(number(self.points[kind][count]))

    def each(self, kind):
        """Of each further node, from the smallest to the largest graph."""
        few, most = min(self.points[kind]), max(self.points[kind])
        return field(number((self.points[kind][most] - self.points[kind][few]) / (most - few)))


class Prediction:
    """How well predicted.json agrees with h200.json."""

    def __init__(self, folder):
        self.both = prediction.load(folder / "h200.json", folder / "predicted.json")
        self.errors = sorted(abs(predicted / wall - 1)
                             for _, walls in prediction.cells(*self.both)
                             for wall, predicted in walls.values())

    def count(self):
        return field(len(self.errors))

    def error(self, quantile):
        place = quantile * (len(self.errors) - 1)
        low, high = self.errors[int(place)], self.errors[min(int(place) + 1, len(self.errors) - 1)]
        return percent(low + (place - int(place)) * (high - low))

    def ordered(self, factor):
        """"370", "377": pairs at least that far apart, in the right order and in all."""
        pairs = list(prediction.pairs(*self.both, factor))
        return field(sum(pair.predicted > 1 for pair in pairs)), field(len(pairs))
