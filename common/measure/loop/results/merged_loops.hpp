// The loops of several processes as one.
#pragma once

#include <span>

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Returns every loop with the turns of all processes, numbered from 0 in the order of `all`; loops
/// that an interrupted process did not reach have fewer. If a contender failed in one process, it
/// has failed for that reason. Rounds and context are the first process's. Throws
/// std::invalid_argument without results, or if contenders differ.
LoopResults merged_loops(std::span<const LoopResults> all);

}  // namespace trilane
