// The best contenders of a loop over kernel time and analysis time.
#pragma once

#include <vector>

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Comparisons of one loop that differ only in kernel time and analysis time.
using LoopFamily = std::vector<const LoopComparison*>;

/// Returns the comparisons by loop, in the order in which the loops first appear. Members of a
/// family agree in everything except kernel time, the rounds found for it, and analysis time.
std::vector<LoopFamily> families_of(const std::vector<LoopComparison>& comparisons);

/// Returns a row for each kernel time and a column for each analysis time, with the winner in each
/// cell. A second table has the winner among those that leave the processors free, where known.
Page map_of(const LoopFamily& family);

}  // namespace trilane
