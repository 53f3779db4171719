// The wall time of a variant in a cell, with its interval.
#pragma once

#include <utility>

#include "common/model/results/results.hpp"

namespace trilane {

struct WallTime {
  double mean = 0, low = 0, high = 0;  ///< microseconds
};

/// Returns the time of a pass (statistics.hpp), with an interval:
/// - with several processes, the 95% interval for another run of as many,
/// - with one, that of the geometric mean of the rounds, centred on the time,
/// - with fewer than `fewest_rounds`, from the shortest to the longest round,
/// - with one round, from the shortest to the longest sample.
/// Intervals of one process do not cover differences between processes. Throws
/// std::invalid_argument without samples.
WallTime wall_time_of(const Measurement& m);

/// Returns the shortest and the longest wall time of a sample in microseconds; there must be a
/// sample.
std::pair<double, double> wall_range(const Measurement& m);

/// Returns true if enough rounds of one process give an interval, and its actual and expected half
/// widths are at most `precision`.
bool is_known_to(double precision, const Measurement& m);

}  // namespace trilane
