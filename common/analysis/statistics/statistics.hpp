// Statistics of samples: quantiles, and the paired ratio of two variants with its interval.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// The quantile `q` by linear interpolation between order statistics (Hyndman and Fan 1996, type
/// 7). `values` need not be sorted. Throws std::invalid_argument without values, if one is not
/// finite, and if `q` is not in [0, 1].
double quantile(std::span<const double> values, double q);

/// Throws like quantile().
double median(std::span<const double> values);

/// The median of one clock over the samples.
double median(std::span<const Sample> samples, double Sample::*clock);

/// The arithmetic mean of at least one value.
double mean(std::span<const double> values);

/// Throws like quantile().
Summary summary_of(std::span<const double> values);

/// The lower median of at least one size.
std::uint64_t median_bytes(std::vector<std::uint64_t> sizes);

/// The median wall time of each process, by its number.
std::map<std::uint32_t, double> process_medians(std::span<const Sample> samples);

/// The fewest rounds for an interval. With 6 it is 4.3 standard errors wide each way; with fewer it
/// says next to nothing.
inline constexpr std::size_t fewest_rounds = 6;

/// A ratio from too few rounds. Its interval reaches from zero to twice the larger of 1 and the
/// estimate: a tie, too wide for any precision.
Ratio undecided(double estimate);

/// The ratio of median wall times, `variant` over `reference`, of every round that both have, by
/// process and round. Throws std::invalid_argument unless all wall times are finite and above zero.
std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference);

/// The geometric mean of one process's rounds with a 95% interval that allows for correlated rounds
/// (interval.hpp); undecided() with fewer than `fewest_rounds`. On synthetic samples with drift,
/// outliers, bimodality and autocorrelation the interval contains the true value in 94 to 96% of
/// cases (tests/analysis/statistics/error_rates_test.cpp). Throws std::invalid_argument without a
/// ratio.
Ratio ratio_of(std::span<const double> round_ratios);

/// The half width to expect of ratio_of(); a run may stop on this one (interval.hpp). Infinite with
/// fewer than `fewest_rounds`.
double expected_half_width(std::span<const double> round_ratios);

/// The ratio of wall times, `variant` over `reference`, paired by round; nothing if they share
/// none. With several processes it is the geometric mean of their means with Student's t interval,
/// which covers differences between processes.
std::optional<Ratio> paired_ratio(std::span<const Sample> variant,
                                  std::span<const Sample> reference);

/// The ratio of wall times, `now` over `before`, from two runs, with an interval at `confidence`.
/// Each side is the mean logarithm of its rounds' medians or, with several processes, of the
/// processes' means. A side from one process does not cover differences between processes; if it
/// has fewer than `fewest_rounds` the ratio is undecided(). Throws std::invalid_argument without
/// samples and unless all wall times are finite and above zero.
Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence = 0.95);

/// Whether the ratio rests on enough rounds; see undecided().
inline bool decides(const Ratio& ratio) { return ratio.low > 0; }

/// The longer arm of the interval relative to the estimate: 0.01 is 1%. Infinite instead of not a
/// number, so that `half_width(r) <= precision` stays false.
double half_width(const Ratio& ratio);

/// Derives summaries and ratios of every ok measurement and clears those of the others. A
/// measurement fails if one of its times is not a number or negative, or a wall time is zero.
void summarise(Comparison& comparison);

}  // namespace trilane
