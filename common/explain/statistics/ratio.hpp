// Computes the ratio of two variants, or of one variant in two runs, with its interval.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// The fewest rounds for an interval. With 6 it is 4.3 standard errors wide each way; with fewer it
/// says next to nothing.
inline constexpr std::size_t fewest_rounds = 6;

/// Returns a ratio from too few rounds. Its interval reaches from zero to twice the larger of 1 and
/// the estimate: a tie, too wide for any precision.
Ratio undecided(double estimate);

/// Returns the ratio of mean wall times, `variant` over `reference`, of every round that both have,
/// by process and round. Throws what turn_means() does.
std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference);

/// Returns a ratio for judging during a run: the geometric mean of one process's rounds with a 95%
/// interval that allows for correlated rounds (interval.hpp). It is undecided() with fewer than
/// `fewest_rounds`. On synthetic samples with drift, outliers, bimodality and autocorrelation the
/// interval contains the true value in 94 to 96% of cases
/// (tests/explain/statistics/error_rates_test.cpp). Throws std::invalid_argument without a
/// ratio.
Ratio ratio_of(std::span<const double> round_ratios);

/// Returns the expected half width of ratio_of(); a run may stop on this one (interval.hpp).
/// Infinite with fewer than `fewest_rounds`.
double expected_half_width(std::span<const double> round_ratios);

/// Returns the ratio of the times of a pass (statistics.hpp), `variant` over `reference`, in the
/// rounds that both have; nothing if they share none. Its 95% interval covers
/// - with several processes, another run of as many of each variant, which share neither a process
///   nor its pages nor its moment (Welch 1947);
/// - otherwise, the rounds of this process, paired by round; undecided() with fewer than
///   `fewest_rounds`.
std::optional<Ratio> variant_ratio(std::span<const Sample> variant,
                                   std::span<const Sample> reference);

/// Returns true if the ratio rests on enough rounds, or on a known error; see undecided().
inline bool decides(const Ratio& ratio) { return ratio.low > 0; }

/// Returns the longer arm of the interval relative to the estimate: 0.01 is 1%. Infinite instead of
/// not a number, so that `half_width(r) <= precision` stays false.
double half_width(const Ratio& ratio);

/// Returns the ratio of wall times, `m` over `base`; nothing if they share no round. Measured times
/// give variant_ratio(). Predicted times give the ratio of their means within the larger of both
/// errors, and undecided() if one of these is unknown.
std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base);

/// Returns the ratio of wall times, `now` over `before`, from two runs, with an interval at
/// `confidence`. Each side is the mean logarithm of its rounds' medians or, with several processes,
/// of the processes' means. A side from one process does not cover differences between processes;
/// if it has fewer than `fewest_rounds` the ratio is undecided(). Throws std::invalid_argument
/// without samples, and unless all wall times are finite and above zero.
Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence = 0.95);

}  // namespace trilane
