// What two times have to share to be comparable.
#pragma once

#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// What is done, and how it is timed: every field of the workload under the name that it has in the
/// file, then mode, batch, wait and slow_down. How the workload came about, from a preset or by
/// knobs, does not matter.
std::vector<Property> work_of(const Comparison& comparison);

}  // namespace trilane
