// Which kernels may start before the kernel in front of them ends.
#pragma once

#include <vector>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// For each place of a chunk, whether there is a kernel that waits for the one right in front of
/// it by itself: all of Trilane's own kernels do, and those of which a pipeline file says so. A
/// chunk's first kernel never starts early, because no copy or memset lets it.
std::vector<bool> early_places(const Workload& workload);

}  // namespace trilane
