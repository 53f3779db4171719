// Statistics of samples: quantiles, and the paired ratio of two variants with its interval.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/results.hpp"

namespace trilane {

/// The quantile `q` in [0, 1] by linear interpolation between order statistics (Hyndman and Fan
/// 1996, type 7). `values` need not be sorted and must not be empty (std::invalid_argument).
double quantile(std::span<const double> values, double q);

/// Median, quartiles, 99th percentile and minimum of at least one value.
Summary summary_of(std::span<const double> values);

/// The ratio of wall times of `variant` over `reference`, paired by round: per round the ratio of
/// the two medians, then the median over rounds, with a 95% percentile bootstrap interval over
/// resampled rounds (Efron 1979; 2000 resamples drawn from `seed`). Rounds that only one of the
/// two has are left out; without a common round: std::invalid_argument.
Ratio paired_ratio(std::span<const Sample> variant, std::span<const Sample> reference,
                   std::uint64_t seed);

/// Fills the summaries of every ok measurement and its ratio over the comparison's reference.
void summarise(Comparison& comparison);

}  // namespace trilane
