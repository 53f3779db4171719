// Loops as a page for people.
#pragma once

#include "common/loop/results/loop_results.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// Each loop with a table of who was told how, and what was not run or failed, with the reason.
Page loops_page(const LoopResults& results);

}  // namespace trilane
