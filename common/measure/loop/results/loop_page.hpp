// Loops as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// The detail of the page on a loop with several kernel or analysis times.
enum class LoopDetail {
  map,     ///< the map, and what failed
  tables,  ///< also the tables of each combination
};

/// Returns each loop with its verdict, then a table of the notifications, the number of items
/// checked, and the contenders not run or failed, with the reason.
Page loops_page(const LoopResults& results, LoopDetail detail = LoopDetail::map);

}  // namespace trilane
