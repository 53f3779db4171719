// The loops of several processes as one.
#pragma once

#include <span>

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Every loop with the turns of all processes, which count from 0 in the order of `all`; what an
/// interrupted process did not reach has fewer. A contender that failed in one has failed, with
/// that reason. Loops have the rounds, and the whole has the context, of the first. Throws
/// std::invalid_argument without results, and if contenders differ.
LoopResults merged_loops(std::span<const LoopResults> all);

}  // namespace trilane
