// Statistics of samples: quantiles and summaries.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the quantile `q` by linear interpolation between order statistics (Hyndman and Fan 1996,
/// type 7). `values` need not be sorted. Throws std::invalid_argument without values, if one is not
/// finite, and if `q` is not in [0, 1].
double quantile(std::span<const double> values, double q);

/// Throws like quantile().
double median(std::span<const double> values);

/// Returns the arithmetic mean of at least one value.
double mean(std::span<const double> values);

/// Returns how many of n values a middle mean leaves out at each end: a quarter, rounded down; 0
/// below 6 values.
std::size_t left_out_at_each_end(std::size_t n);

/// Returns the mean of the middle half of at least one value, without left_out_at_each_end() of
/// them.
double middle_mean(std::span<const double> values);

/// Returns the summary, with the arithmetic mean. Throws like quantile().
Summary summary_of(std::span<const double> values);

/// Returns the lower median of at least one size.
std::uint64_t median_bytes(std::vector<std::uint64_t> sizes);

/// Returns the time of a pass in each process, by its number; see pass_us().
std::map<std::uint32_t, double> process_times(std::span<const Sample> samples);

/// Derives summaries and ratios of every ok measurement and clears those of the others. A
/// measurement fails if one of its times is not a number or negative, or a wall time is zero.
void summarise(Comparison& comparison);

}  // namespace trilane
