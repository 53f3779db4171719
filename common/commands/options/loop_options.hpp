// Which loops a command line names.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/measure/loop/results/loop_shape.hpp"

namespace trilane {

/// Each named loop, all by default, with each kernel time and each analysis time. Throws UsageError
/// for a name or time that is no good, and for too many combinations.
std::vector<Loop> chosen_loops(const Given& given);

}  // namespace trilane
