// Host time of runtime calls, one kind at a time.
#pragma once

#include <vector>

#include "common/measure/harness/pricing/stage_timer.hpp"
#include "common/model/results/limit.hpp"

namespace trilane {

/// Returns the costs in microseconds of the calls that issue chunks:
/// - copies (the mean of both directions), memsets and kernels,
/// - recording an event and waiting for it,
/// - cudaMalloc and cudaFree of a chunk's memory on an idle device,
/// - allocating and freeing from a memory pool, if the device has pools.
/// Calls of the other kinds go in a row to streams with room in their queues. The fastest of
/// several readings counts. Throws CudaError.
std::vector<CallCost> call_costs(const Job& job, StageTimer& timer);

/// Returns the lower of both costs for each function.
std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other);

}  // namespace trilane
