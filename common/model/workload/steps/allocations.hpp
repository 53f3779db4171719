// The number of pool allocations for the device memory of a chunk.
#pragma once

#include <cstdint>

#include "common/model/workload/steps/buffer_layout.hpp"

namespace trilane {

/// Returns 1, or 2 if the policy asks for separate memory for the inputs and a chunk has both
/// inputs and other buffers.
std::uint32_t allocations_per_chunk(const Layout& layout, const PoolPolicy& policy);

/// Returns the number for all chunks of a pass.
std::uint64_t allocations_of_pass(const Workload& workload, const PoolPolicy& policy);

}  // namespace trilane
