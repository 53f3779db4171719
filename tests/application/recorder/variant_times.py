"""Times in microseconds with 95% intervals, for record_variants.py and record_costs.py."""
import dataclasses
import math
import statistics

# Student's t of 97.5% with 1, 2, .. 20 degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
           2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)
FEWEST_PROCESSES, MOST_PROCESSES = 2, len(STUDENT) + 1


@dataclasses.dataclass(frozen=True)
class Time:
    us: float
    low: float
    high: float

    def __str__(self):
        return f"{self.us:.1f} [{self.low:.1f}, {self.high:.1f}]"

    def less(self, us):
        return Time(self.us - us, self.low - us, self.high - us)

    def over(self, other):
        """The gap is that between the intervals."""
        return Ratio(self.us / other.us, max(self.low / other.high, other.low / self.high, 1) - 1)


@dataclasses.dataclass(frozen=True)
class Ratio:
    """Of two times that should be equal."""
    value: float
    gap: float  # by how much its interval misses 1; 0 where it does not

    def __str__(self):
        return f"{self.value:.3f}" + (f" outside by {self.gap:.1%}" if self.gap > 0 else "")


@dataclasses.dataclass
class Misses:
    """The ratios of a column."""
    ratios: list = dataclasses.field(default_factory=list)

    def add(self, ratio):
        """Returns the ratio in words."""
        self.ratios.append(ratio)
        return str(ratio)

    def __str__(self):
        gaps = sorted(ratio.gap for ratio in self.ratios if ratio.gap > 0)
        shares = ", ".join(f"{gap:.1%}" for gap in gaps)
        return f"{len(gaps)} of {len(self.ratios)}" + (f" (by {shares})" if gaps else "")


def medians_of_processes(samples):
    """The median wall time of each process in the samples of a results file."""
    by_process = {}
    for process, us in zip(samples["process"], samples["wall_us"]):
        by_process.setdefault(process, []).append(us)
    return [statistics.median(values) for values in by_process.values()]


def interval_of(values):
    """The geometric mean of a value of each process, and both ends of Student's t interval."""
    logs = [math.log(value) for value in values]
    mean = statistics.fmean(logs)
    half = STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def mean_of_processes(medians):
    """None of fewer than FEWEST_PROCESSES."""
    return Time(*interval_of(medians)) if len(medians) >= FEWEST_PROCESSES else None


def ratio_of_pairs(times, others):
    """Of two times of each process; None of fewer than FEWEST_PROCESSES, or without a pair for
    each."""
    if len(times) != len(others) or len(times) < FEWEST_PROCESSES:
        return None
    value, low, high = interval_of([time / other for time, other in zip(times, others)])
    return Ratio(value, max(low, 1 / high, 1) - 1)
