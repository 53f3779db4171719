// Host time of runtime calls, one kind at a time.
#pragma once

#include <vector>

#include "common/measure/harness/pricing/stage_timer.hpp"
#include "common/model/results/limit.hpp"

namespace trilane {

/// The costs in microseconds of the calls that issue chunks: copies (the mean of both ways),
/// memsets, kernels, recording an event and waiting for it, cudaMalloc and cudaFree of a chunk's
/// memory on an idle device and, if the device has memory pools, allocating and freeing from one.
/// Calls of the other kinds go in a row to streams with room in their queues. The fastest of
/// several readings counts. Throws CudaError.
std::vector<CallCost> call_costs(const Job& job, StageTimer& timer);

/// The number of copies that the device can make at once.
std::uint32_t copy_engines();

/// For each function the lower of both costs.
std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other);

}  // namespace trilane
