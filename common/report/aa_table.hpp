// What many comparisons of a variant with itself say about the intervals.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One row per workload over all comparisons of it, at most 80 columns: how many intervals held the
/// truth, which is 1, the exact interval of that share and the p-value against 95%; with a
/// slow-down how many excluded 1 on the right side, the exact interval of that, and the median of
/// the ratios. Then the median half width. A comparison without a ratio that decides is counted
/// apart.
std::string aa_table(const Results& results);

}  // namespace trilane
