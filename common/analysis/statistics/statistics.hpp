// Statistics of samples: quantiles, and the paired ratio of two variants with its interval.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// The quantile `q` in [0, 1] by linear interpolation between order statistics (Hyndman and Fan
/// 1996, type 7). `values` need not be sorted. Throws std::invalid_argument when there are none,
/// when one of them is not finite, and when `q` is out of its range.
double quantile(std::span<const double> values, double q);

/// Median, quartiles, 99th percentile and minimum of at least one value. Throws as quantile().
Summary summary_of(std::span<const double> values);

/// The median of at least one size; of two in the middle the lower one.
std::uint64_t median_bytes(std::vector<std::uint64_t> sizes);

/// The median wall time of each process that has samples, by its number. Throws as quantile().
std::map<std::uint32_t, double> process_medians(std::span<const Sample> samples);

/// With fewer rounds than these the order of chance and effect cannot be told apart: of 6 rounds an
/// interval is 4.3 standard errors wide each way, and below that it says next to nothing.
inline constexpr std::size_t fewest_rounds = 6;

/// A ratio that rests on too few rounds: its interval is stated as zero to twice the larger of 1
/// and the estimate, a tie that no precision accepts.
Ratio undecided(double estimate);

/// Per round that both have, the ratio of the medians of their wall times, `variant` over
/// `reference`, in order of processes and rounds. Throws std::invalid_argument when a wall time is
/// not a finite number above zero.
std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference);

/// The geometric mean of one process's rounds with a 95% interval that allows for rounds that
/// resemble their neighbours, see interval.hpp. On synthetic samples with drift, outliers,
/// bimodality and autocorrelation it holds the truth in 94 to 96% of cases, with 20 rounds and
/// with 80 (tests/analysis/statistics/error_rates_test.cpp). Without a ratio:
/// std::invalid_argument. With fewer than `fewest_rounds` the ratio is undecided().
Ratio ratio_of(std::span<const double> round_ratios);

/// What a run may be stopped for: the half width to expect of ratio_of(), see interval.hpp.
/// Infinite with fewer than `fewest_rounds`.
double expected_half_width(std::span<const double> round_ratios);

/// The ratio of wall times of `variant` over `reference`, paired by round; nothing when they share
/// none. Samples of several processes: the geometric mean of the processes' means, and Student's t
/// interval over these, which holds what differs from process to process.
std::optional<Ratio> paired_ratio(std::span<const Sample> variant,
                                  std::span<const Sample> reference);

/// The ratio of wall times of `now` over `before`, samples of two runs that share no round. Either
/// side is the mean logarithm of its rounds' medians, with the variance of interval.hpp; with
/// samples of several processes, of their means. The interval holds `confidence`; it is undecided()
/// where a side of one process has fewer than `fewest_rounds`. What differs between processes is
/// not in a side that comes from one. Throws std::invalid_argument without samples, and when a wall
/// time is not a finite number above zero.
Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence = 0.95);

/// Whether the ratio rests on enough rounds for its interval to say anything.
inline bool decides(const Ratio& ratio) { return ratio.low > 0; }

/// How far the interval reaches from the estimate, relative to it, on its longer side: 0.01 is
/// 1%. Infinite when that is not a number, so that `half_width(r) <= precision` stays false.
double half_width(const Ratio& ratio);

/// Fills the summaries of every ok measurement and its ratio over the comparison's reference, and
/// clears those of the others. An ok measurement becomes failed when one of its times is not a
/// number, is negative, or is a wall time of zero.
void summarise(Comparison& comparison);

}  // namespace trilane
