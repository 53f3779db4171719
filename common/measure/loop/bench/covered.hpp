// How much of a stretch of time intervals cover.
#pragma once

#include <vector>

namespace trilane {

struct Interval {
  double start_us = 0, end_us = 0;
};

struct Covered {
  double span_us = 0;  ///< from the first start to the last end
  double busy_us = 0;  ///< of these, inside at least one interval
};

/// Intervals in any order; they may overlap. Zero without any.
Covered covered_by(std::vector<Interval> intervals);

}  // namespace trilane
