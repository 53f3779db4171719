// What calls to the runtime cost the host, each kind by itself.
#pragma once

#include <vector>

#include "common/harness/probe/stage_timer.hpp"
#include "common/results/limit.hpp"

namespace trilane {

/// The functions by which lanes are issued: copies (both ways in equal parts), memsets, kernels,
/// recording an event and waiting for one, and, where the device has memory pools, taking a chunk's
/// memory from one and giving it back. Calls of one kind go in a row to streams that have room for
/// them; the fastest of several readings counts. Throws CudaError.
std::vector<CallCost> call_costs(const Job& job, StageTimer& timer);

/// How many copies the device makes at once.
std::uint32_t copy_engines();

/// The lower cost of each function, of those in `one`.
std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other);

}  // namespace trilane
