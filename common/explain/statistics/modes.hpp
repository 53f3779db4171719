// The values between which a series of times jumps.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace trilane {

/// One of the values that a series keeps to.
struct TimeMode {
  double mean = 0;   ///< of the values that belong to it, in their unit
  double share = 1;  ///< of all values, from 0 to 1
};

/// Returns the modes of at least one value, the smallest first; a single one where the values do
/// not fall apart. Shares add up to 1, and means weighted by them to the mean of all.
///
/// 20 values or more are cut at the widest gap that leaves at least 10% of all, and at least 5, on
/// either side. The two sides are modes if two things hold. Their medians are at least 10% of the
/// median of all apart. And from the 95% quantile of the lower to the 5% quantile of the upper it
/// is at least three times the larger spread within one of them, which is its interquartile range
/// over 1.35: a standard deviation of normal values. Each side is then cut by the same rule. Values
/// of one mode, with tails or without, are cut in less than 1% of series of 40 values and more.
/// Throws like quantile().
std::vector<TimeMode> modes_of(std::span<const double> values);

/// "18.0 us", or "18.0 us or 26.0 us, in 60% and 40% of the passes". Takes times in microseconds
/// and the plural of what was timed.
std::string in_words(std::span<const TimeMode> modes, const std::string& what);

}  // namespace trilane
