// Compares tellers: their turns are interleaved, in an order that is shuffled every round.
#pragma once

#include "common/measure/loop/loop_rounds.hpp"

namespace trilane {

/// Finds the kernel's rounds and runs all. A contender that fails is not run again, and has the
/// reason. A sticky error ends the run: others keep their turns or, without any, are not run.
/// Interrupted, it returns what it has. Throws NotPossible where memory runs out.
LoopComparison measure_loops(Loop loop, const LoopSettings& settings);

}  // namespace trilane
