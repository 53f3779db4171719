// Kernels that may start before the preceding kernel ends.
#pragma once

#include <vector>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns for each place of a chunk whether its kernel waits by itself for the directly preceding
/// one: all of Trilane's own kernels do, and those that a pipeline file declares so. A chunk's
/// first kernel never starts early, because copies and memsets do not permit it.
std::vector<bool> early_places(const Workload& workload);

}  // namespace trilane
