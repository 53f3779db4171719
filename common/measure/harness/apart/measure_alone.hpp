// Measures a variant that has a process and, while that is measured, the GPU to itself.
#pragma once

#include <cstddef>
#include <vector>

#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Sets the variant up, runs a first pass, checks one on new input, compares its evidence with its
/// plan, times one turn of about `seconds` (pace.hpp), checks a pass on new input again, and tears
/// it down. Fills its measurement, if that is ok. A variant that fails is left out, and says why;
/// after an interrupt it was not run. If passes are long, shortens comparison.batch. Returns the
/// time of the turn in seconds. Throws what the bench's new_input() does.
double measure_alone(Bench& bench, Comparison& comparison, std::size_t variant, double seconds,
                     const HarnessListener& listener);

/// The contenders in an order shuffled from the comparison's seed.
std::vector<std::size_t> order_of(const Comparison& comparison);

/// When all were measured: says how that stopped, and summarises.
void conclude(Comparison& comparison, const HarnessListener& listener);

}  // namespace trilane
