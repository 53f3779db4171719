// Consistency checks of loops read from a file.
#pragma once

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Throws a Misfit unless an option could ask for its lanes and sizes.
void cross_check(const Loop& loop);

/// Throw a Misfit unless times have samples of at most the number of items, rates are finite, and
/// nothing is duplicated.
void cross_check(const LoopTurn& turn);
void cross_check(const LoopMeasurement& measurement);
void cross_check(const LoopComparison& comparison);

}  // namespace trilane
