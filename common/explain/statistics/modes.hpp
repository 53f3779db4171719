// Finds the values between which a series of times jumps.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace trilane {

/// One of the values around which a series stays.
struct TimeMode {
  double mean = 0;   ///< of its values, in their unit
  double share = 1;  ///< of all values, from 0 to 1
};

/// Returns the modes of at least one value, smallest first; a single one if the values do not
/// split. Shares add up to 1, and means weighted by them to the mean of all. Throws like
/// quantile().
///
/// 20 values or more are cut at the widest gap that leaves at least 10% of all, and at least 5, on
/// either side. Each side is then cut by the same rule. The two sides are modes if both hold:
/// - their medians differ by at least 10% of the median of all;
/// - the gap from the lower side's 95% quantile to the upper side's 5% quantile is at least three
///   times the larger spread. The spread of a side is its interquartile range over 1.35: a standard
///   deviation of normal values.
///
/// Values of one mode, with or without tails, are cut in less than 1% of series of 40 values and
/// more.
std::vector<TimeMode> modes_of(std::span<const double> values);

/// Returns "18.0 us", or "18.0 us or 26.0 us, in 60% and 40% of the passes". Takes times in
/// microseconds and the plural of what was timed.
std::string in_words(std::span<const TimeMode> modes, const std::string& what);

}  // namespace trilane
