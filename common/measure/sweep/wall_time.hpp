// The wall time of a variant in a cell, with its interval.
#pragma once

#include <utility>

#include "common/model/results/results.hpp"

namespace trilane {

struct WallTime {
  double mean = 0, low = 0, high = 0;  ///< microseconds
};

/// What a pass takes (turns.hpp), with a 95% interval. With several processes it is for another run
/// of as many. With one it is that of the geometric mean of the rounds, moved there, or, with fewer
/// than `fewest_rounds`, reaches from the shortest to the longest round, and with one round from
/// the shortest to the longest sample: it then does not cover what differs between processes.
/// Throws std::invalid_argument without samples.
WallTime wall_time_of(const Measurement& m);

/// The shortest and the longest wall time of a sample in microseconds; there must be one.
std::pair<double, double> wall_range(const Measurement& m);

/// True if enough rounds of one process give an interval, and its half width and the one to expect
/// are at most `precision`.
bool is_known_to(double precision, const Measurement& m);

}  // namespace trilane
