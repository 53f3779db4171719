// Reports what comparisons of a variant with itself say about the intervals.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One row per workload, at most 80 columns: how many intervals contained 1, the true ratio, the
/// exact interval of that share, and its p-value against 95%. With a slow-down: how many intervals
/// found it, the exact interval of that share, and the median ratio. Then the median half width.
/// Comparisons with too few rounds are counted separately.
std::string aa_table(const Results& results);

}  // namespace trilane
