// Whether loops that a file holds fit themselves. Its reader calls these.
#pragma once

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Throws a Misfit unless an option could ask for its lanes and sizes.
void cross_check(const Loop& loop);

/// Throw a Misfit unless times have samples to come from, of no more items than there are, rates
/// are finite, and nothing is there twice.
void cross_check(const LoopTurn& turn);
void cross_check(const LoopMeasurement& measurement);
void cross_check(const LoopComparison& comparison);

}  // namespace trilane
