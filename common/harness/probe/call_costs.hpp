// Host time of runtime calls, one kind at a time.
#pragma once

#include <vector>

#include "common/harness/probe/stage_timer.hpp"
#include "common/results/limit.hpp"

namespace trilane {

/// The costs of the calls that issue chunks: copies (the mean of both ways), memsets, kernels,
/// recording an event and waiting for one, and, if the device has memory pools, allocating from one
/// and freeing. Calls of one kind are made in a row to streams whose queues have room; the fastest
/// of several readings counts. Throws CudaError.
std::vector<CallCost> call_costs(const Job& job, StageTimer& timer);

/// The number of copies that the device can make at once.
std::uint32_t copy_engines();

/// `one` with the lower of both costs of each function.
std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other);

}  // namespace trilane
