// The part of a time span that intervals cover.
#pragma once

#include <vector>

namespace trilane {

struct Interval {
  double start_us = 0, end_us = 0;
};

struct Covered {
  double span_us = 0;  ///< from the first start to the last end
  double busy_us = 0;  ///< part of it inside at least one interval
};

/// Takes intervals in any order, which may overlap. Returns zeros without any.
Covered covered_by(std::vector<Interval> intervals);

}  // namespace trilane
