// What two times must have in common to be comparable.
#pragma once

#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// The work and how it is timed: every field of the workload, named as in the file, then mode,
/// batch, wait and slow_down. Ignores whether the workload is a modified preset.
std::vector<Property> work_of(const Comparison& comparison);

}  // namespace trilane
