"""Times in microseconds with 95% intervals, for record_variants.py and record_costs.py."""
import dataclasses
import math
import statistics

# Student's t of 97.5% with 1, 2, .. 20 degrees of freedom.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
           2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)
FEWEST_PROCESSES, MOST_PROCESSES = 2, len(STUDENT) + 1
BLOCKS = 20


@dataclasses.dataclass(frozen=True)
class Time:
    us: float
    low: float
    high: float

    def __str__(self):
        return f"{self.us:.1f} [{self.low:.1f}, {self.high:.1f}]"

    def less(self, us):
        return Time(self.us - us, self.low - us, self.high - us)

    def gap(self, other):
        """By how much the intervals miss each other, as a ratio; 0 where they overlap."""
        return max(self.low / other.high, other.low / self.high, 1) - 1


@dataclasses.dataclass
class Misses:
    """Replayed times beside times of another kind."""
    compared: int = 0
    gaps: list = dataclasses.field(default_factory=list)  # of those outside

    def compare(self, replayed, other):
        """Counts it; the ratio and whether it is outside, in words."""
        gap = replayed.gap(other)
        self.compared += 1
        self.gaps += [gap] if gap > 0 else []
        return f"{replayed.us / other.us:.3f}" + (f" outside by {gap:.1%}" if gap > 0 else "")

    def __str__(self):
        shares = ", ".join(f"{gap:.1%}" for gap in sorted(self.gaps))
        return f"{len(self.gaps)} of {self.compared}" + (f" (by {shares})" if shares else "")


def lowest_rank(count):
    """The largest k for which the k-th smallest and the k-th largest of so many independent values
    enclose their median in 95% of all cases or more; 0 if no number does."""
    below, rank = 0, 0
    while True:
        below += math.comb(count, rank)
        if 2 * below > 0.05 * 2 ** count:
            return rank
        rank += 1


def median_of_series(values):
    """The median of values in the order of measurement, whatever their distribution. The interval
    is that of the medians of blocks, since neighbours may be correlated; with fewer than 6 values
    it is from nothing to everything."""
    count = min(BLOCKS, len(values))
    blocks = sorted(statistics.median(values[i * len(values) // count:
                                             (i + 1) * len(values) // count])
                    for i in range(count))
    middle, rank = statistics.median(values), lowest_rank(count)
    if rank == 0:
        return Time(middle, 0, math.inf)
    # Of blocks of unequal length it may lie beside their interval.
    return Time(middle, min(middle, blocks[rank - 1]), max(middle, blocks[-rank]))


def mean_of_processes(medians, one_more=False):
    """The geometric mean of processes' medians with Student's t interval; with `one_more` the
    interval has the median of a further process."""
    logs = [math.log(us) for us in medians]
    mean = statistics.fmean(logs)
    spread = statistics.stdev(logs) * math.sqrt(1 / len(logs) + one_more)
    half = STUDENT[len(logs) - 2] * spread
    return Time(math.exp(mean), math.exp(mean - half), math.exp(mean + half))
