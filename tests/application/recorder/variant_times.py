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


@dataclasses.dataclass(frozen=True)
class Ratio:
    """Of two times that should be equal."""
    value: float
    gap: float  # the distance of its interval from 1; 0 if it contains 1

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


def mean_of_processes(medians):
    """The geometric mean of processes' medians with Student's t interval; None of fewer than
    FEWEST_PROCESSES."""
    if len(medians) < FEWEST_PROCESSES:
        return None
    logs = [math.log(us) for us in medians]
    mean = statistics.fmean(logs)
    half = STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs))
    return Time(math.exp(mean), math.exp(mean - half), math.exp(mean + half))


def ratio(mean, half):
    """From the mean of logarithms and half the width of their interval."""
    return Ratio(math.exp(mean), math.expm1(max(abs(mean) - half, 0)))


def ratio_of_pairs(times, others):
    """Of two times of each process; None of fewer than FEWEST_PROCESSES, or without a pair for
    each."""
    if len(times) != len(others) or len(times) < FEWEST_PROCESSES:
        return None
    logs = [math.log(time / other) for time, other in zip(times, others)]
    return ratio(statistics.fmean(logs),
                 STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs)))


def ratio_of_groups(times, others):
    """Of times of different processes, with Welch's interval; None where either are fewer than
    FEWEST_PROCESSES."""
    groups = [[math.log(us) for us in group] for group in (times, others)]
    if min(len(logs) for logs in groups) < FEWEST_PROCESSES:
        return None
    spreads = [statistics.variance(logs) / len(logs) for logs in groups]
    freedom = 1
    if sum(spreads) > 0:
        freedom = sum(spreads) ** 2 / sum(spread ** 2 / (len(logs) - 1)
                                          for spread, logs in zip(spreads, groups))
    half = STUDENT[min(int(freedom), len(STUDENT)) - 1] * math.sqrt(sum(spreads))
    return ratio(statistics.fmean(groups[0]) - statistics.fmean(groups[1]), half)
