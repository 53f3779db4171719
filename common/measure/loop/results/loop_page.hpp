// Loops as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"

namespace trilane {

/// Comparisons of one loop that differ only in kernel time and analysis time.
using LoopFamily = std::vector<const LoopComparison*>;

/// Returns the comparisons by loop, in the order in which the loops first appear. Members of a
/// family agree in everything except kernel time, the rounds found for it, and analysis time.
std::vector<LoopFamily> families_of(const std::vector<LoopComparison>& comparisons);

/// Returns a row for each kernel time and a column for each analysis time, with the winner in each
/// cell. A second table has the winner among those that leave the processors free, where known.
Page map_of(const LoopFamily& family);

/// The detail of the page on a loop with several kernel or analysis times.
enum class LoopDetail {
  map,     ///< the map, and what failed
  tables,  ///< also the tables of each combination
};

/// Returns each loop with its verdict, then a table of the notifications, the number of items
/// checked, and the contenders not run or failed, with the reason.
Page loops_page(const LoopResults& results, LoopDetail detail = LoopDetail::map);

}  // namespace trilane
