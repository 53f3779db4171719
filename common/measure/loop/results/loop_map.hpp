// The best contenders of a loop over kernel time and analysis time.
#pragma once

#include <vector>

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Comparisons of one loop that differ in kernel time and analysis time only.
using LoopFamily = std::vector<const LoopComparison*>;

/// The comparisons by loop, in the order in which the loops first appear: those of a family agree
/// in everything but kernel time, the rounds found for it, and analysis time.
std::vector<LoopFamily> families_of(const std::vector<LoopComparison>& comparisons);

/// A row for each kernel time, a column for each analysis time: the winner, and in a second table
/// the winner of those that leave the processors free, where it is known.
Page map_of(const LoopFamily& family);

}  // namespace trilane
