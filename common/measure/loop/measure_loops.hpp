// Compares notifications: their turns are interleaved, in an order shuffled every round.
#pragma once

#include "common/measure/loop/loop_rounds.hpp"

namespace trilane {

/// Finds the kernel's rounds and runs all contenders. A failing contender is not run again, and has
/// the reason. A sticky error ends the run: others keep their turns or, without any, have the
/// status not run. An interrupt returns the measurements so far. Throws NotPossible if memory runs
/// out.
LoopComparison measure_loops(Loop loop, const LoopSettings& settings);

}  // namespace trilane
