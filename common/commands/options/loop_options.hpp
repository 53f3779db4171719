// Reads which loops a command line names.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/measure/loop/results/loop_shape.hpp"

namespace trilane {

/// Returns each named loop, all by default, with each kernel time and each analysis time. Throws
/// UsageError for an invalid name or time, and for too many combinations.
std::vector<Loop> chosen_loops(const Given& given);

}  // namespace trilane
