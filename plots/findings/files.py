"""The committed files that pages speak of."""
import collections
import statistics
from pathlib import Path

import input_file
import nodes
import prediction
import results as results_file
import sweep_file
from findings import run
from findings.fields import UNKNOWN, field
from findings.words import number, percent
from results_check import CONTEXT, RATIO
from schema import FACTOR, NAME, SOME, TIME, list_of, members, one_of, printed, without

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "plots/results"
PROFILE = ROOT / "common/device/profile/h200.json"
SWEEPS = ("regimes", "chunks")
ANSWERS = input_file.Kind("trilane-answers", (1, 2), "answers", "trilane ask with --json",
                          lambda version: without(printed("answers"), () if version >= 2 else
                                                  ("hazards", "first_hazard")))
LOOPS = input_file.Kind("trilane-loops", (1, 2), "loops", "trilane loop with --json",
                        printed("loops"))
TRUTH = input_file.Kind("trilane-truth", (1,), "comparison with plain programs",
                        "tests/truth.py with --json",
                        members({"context": CONTEXT, "processes": SOME, "seconds": TIME,
                                 "rows": list_of(members(
                                     {"preset": NAME, "variant": NAME, "printed": RATIO,
                                      "plain": FACTOR, "off": FACTOR | {"minimum": -1},
                                      "lies": one_of("inside", "outside", "far outside")}))}))
# The files that are not results of trilane run.
KINDS = {**dict.fromkeys(SWEEPS, sweep_file.KIND), "answers": ANSWERS, "loop": LOOPS,
         "truth": TRUTH, "truth_h100": TRUTH}
# Every results file that remake.sh writes; those of an H100 or of two GPUs only if it is told to.
OF_TWO = ("gpus", "split")
IF_TOLD = ("h100", "truth_h100", *OF_TWO)
NAMES = ("h200", "truth", "traced", "pools", "memory", "waiting", "queues8", "queues1", "again",
         "crossing", *SWEEPS, "answers", "loop", "predicted", *IF_TOLD)


def runs(folder=FOLDER):
    """Name to its Run, or Missing; without those of two GPUs, and files that are not results."""
    return {name: run.load(folder / f"{name}.json.gz")
            for name in NAMES if name not in KINDS and name not in OF_TWO}


class Context:
    """Tells where and how any file was made."""

    def __init__(self, path):
        kind = KINDS.get(path.name.partition(".")[0], results_file.KIND)
        self.context = input_file.load(path, kind)["context"]

    def machine(self):
        gpu = self.context["gpu"]
        name, driver, cuda = (gpu.get(key, UNKNOWN) for key in
                              ("name", "driver_version", "cuda_runtime_version"))
        return field(f"{name}, driver {driver}, CUDA {cuda}")

    def revision(self):
        return field(self.context.get("git_revision", UNKNOWN)[:7])

    def command(self):
        return field(self.context.get("command_line", UNKNOWN).replace("plots/results/", ""))


def found(folder=FOLDER):
    """Question to finding, "yes", "no" and so on; empty without the file."""
    path = folder / "answers.json.gz"
    answers = input_file.load(path, ANSWERS)["answers"] if path.exists() else ()
    return {answer["question"]: answer["finding"] for answer in answers}


class Map:
    """Holds what a sweep over two knobs found."""

    def __init__(self, path):
        self.cells = [cell for cell in sweep_file.load_map(path)["cells"]
                      if cell["status"] == "ok"]
        self.winners = collections.Counter(cell["winner"] for cell in self.cells)

    def count(self):
        return field(len(self.cells))

    def clear(self):
        return field(sum(not cell["tied"] for cell in self.cells))

    def won(self, variant):
        return field(self.winners[variant])


class Curve:
    """Holds what a sweep over one knob found."""

    def __init__(self, path):
        found = sweep_file.load_curves(path)
        self.values, self.curves = found["columns"]["values"], found["curves"]

    def best(self, variant):
        optimum = self.curves.get(variant, {}).get("optimum")
        return field(self.values[optimum["best"]] if optimum else UNKNOWN)

    def flat(self, variant):
        """The values around the best one that take hardly longer, or perhaps do not."""
        optimum = self.curves.get(variant, {}).get("optimum")
        if not optimum:
            return field(UNKNOWN)
        sure = optimum["within"]["first"] != optimum["within"]["last"]
        ends = optimum["within" if sure else "perhaps"]
        return field(f"{'' if sure else 'perhaps '}{self.values[ends['first']]} to "
                     f"{self.values[ends['last']]}")


class Truth:
    """Holds what plain programs say of the printed ratios."""

    def __init__(self, path):
        self.found = input_file.load(path, TRUTH)
        self.rows = {(row["variant"], row["preset"]): row for row in self.found["rows"]}

    def inside(self, *presets):
        """"7 of 8": the printed ratios whose intervals contain that of the plain programs, on these
        presets, or on all."""
        some = [row for row in self.rows.values() if not presets or row["preset"] in presets]
        return field(f"{sum(row['lies'] == 'inside' for row in some)} of {len(some)}")

    def width(self):
        """The median, over the printed ratios, of the longer arm of their intervals."""
        widths = [max(ratio["high"] / ratio["estimate"] - 1, 1 - ratio["low"] / ratio["estimate"])
                  for ratio in (row["printed"] for row in self.rows.values())]
        return field(f"{statistics.median(widths):.1%}")

    def far(self):
        """"2, most of all `fused` on launch", "none"."""
        far = [row for row in self.rows.values() if row["lies"] == "far outside"]
        if not far:
            return field("none")
        worst = max(far, key=lambda row: abs(row["off"]))
        return field(f"{len(far)}, most of all `{worst['variant']}` on {worst['preset']}")

    def cell(self, variant, preset):
        """Returns how far the printed ratio is off, in bold if its interval misses the plain
        one."""
        row = self.rows.get((variant, preset))
        if row is None:
            return field(UNKNOWN)
        bold = "" if row["lies"] == "inside" else "**"
        return field(f"{bold}{row['off']:+.1%}{bold}")

    def processes(self):
        return field(self.found["processes"])

    def seconds(self):
        return field(f"{self.found['seconds']:.0f}")


class Launches:
    """The host time of launching graphs of one kind of node, by the profile."""

    def __init__(self, path=PROFILE):
        self.points = {kind: dict(points) for kind, points
                       in nodes.launches(nodes.load(path)).items()}

    def launch(self, kind, count):
        found = self.points.get(kind, {}).get(count)
        return field(UNKNOWN if found is None else number(found))

    def each(self, kind):
        """The cost of each further node, from the smallest to the largest graph."""
        points = self.points.get(kind, {})
        if len(points) < 2:
            return field(UNKNOWN)
        few, most = min(points), max(points)
        return field(number((points[most] - points[few]) / (most - few)))


class Prediction:
    """Tells how well predicted.json.gz agrees with h200.json.gz."""

    def __init__(self, folder):
        self.both = prediction.load(folder / "h200.json.gz", folder / "predicted.json.gz")
        self.errors = sorted(abs(predicted / wall - 1)
                             for _, walls in prediction.cells(*self.both)
                             for wall, predicted in walls.values())

    def count(self):
        return field(len(self.errors))

    def error(self, quantile):
        if not self.errors:
            return field(UNKNOWN)
        place = quantile * (len(self.errors) - 1)
        low, high = self.errors[int(place)], self.errors[min(int(place) + 1, len(self.errors) - 1)]
        return percent(low + (place - int(place)) * (high - low))

    def ordered(self, factor):
        """"370", "377": pairs at least that far apart, in the right order and in all."""
        pairs = list(prediction.pairs(*self.both, factor))
        return field(sum(pair.predicted > 1 for pair in pairs)), field(len(pairs))
