// Loops as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// How much the page tells of a loop with several kernel or analysis times.
enum class LoopDetail {
  map,     ///< the map, and what failed
  tables,  ///< the tables of each combination, too
};

/// Each loop with its verdict, then a table of who was told how, how many items were checked, and
/// what was not run or failed, with the reason.
Page loops_page(const LoopResults& results, LoopDetail detail = LoopDetail::map);

}  // namespace trilane
