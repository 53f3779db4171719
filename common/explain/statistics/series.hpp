// Finds how a series of times moves: by drift, by jumps between modes, and in slow rounds.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The means of a series' first and last third, in its unit.
struct Drift {
  double from = 0, to = 0;
};

/// Returns the drift of at least 18 values in the order of their measurement, or nothing. They
/// drift if the 95% quantile of the first or last third is below the other's 5% quantile; the
/// median of the middle third is between theirs, and their means are at least 3% apart. Less than
/// 1% of series without drift count as drifting.
std::optional<Drift> drift_of(std::span<const double> values);

/// Returns "from 382 to 442 us"; takes microseconds.
std::string in_words(const Drift& drift);

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
/// Values of one mode, with or without tails, are cut in less than 1% of series of 40 and more.
std::vector<TimeMode> modes_of(std::span<const double> values);

/// Returns "18.0 us", or "18.0 us or 26.0 us, in 60% and 40% of the passes". Takes times in
/// microseconds and the plural of what was timed.
std::string in_words(std::span<const TimeMode> modes, const std::string& what);

/// The relative slow-down of the host that makes a round slow, compared with the fastest tenth of
/// rounds. On two H200 hosts a core shared with other work took 8 to 24% longer, and the calls of a
/// pass 15 to 80%. That lasted half a second to some seconds; otherwise times varied within 4%.
inline constexpr double slowed_by = 0.05;

/// Returns by round whether the host was slow in it. `host_us` is its time for a fixed piece of
/// work, in any unit; the median over a round and two on either side counts. 0: not measured.
std::vector<bool> slow_rounds(std::span<const double> host_us);

}  // namespace trilane
