// The wall time of a variant in a cell, with its interval.
#pragma once

#include "common/results/results.hpp"

namespace trilane {

struct WallTime {
  double mean = 0, low = 0, high = 0;  ///< microseconds
};

/// What a pass takes (turns.hpp), and the 95% interval of the geometric mean of the rounds, moved
/// there; with fewer than `fewest_rounds` from the shortest to the longest round. It covers noise
/// within one visit, not what differs between processes. Throws std::invalid_argument without
/// samples.
WallTime wall_time_of(const Measurement& m);

/// Whether enough rounds give an interval, and its half width and the one to expect are at most
/// `precision`.
bool is_known_to(double precision, const Measurement& m);

}  // namespace trilane
