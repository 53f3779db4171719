// Kernel launches as tasks, and what they move over the link to the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The bytes of these accesses in device memory and in host memory.
Traffic traffic_of(const std::vector<Access>& accesses, const Memory& memory);

/// A launch of the kernel behind `function`, with a copy of its arguments. Refuses an impossible
/// grid or block with `wrong_configuration`.
Task kernel_task(const Machine& machine, const void* function, dim3 grid, dim3 block,
                 std::size_t shared_bytes, void** arguments, cudaError_t wrong_configuration);

}  // namespace trilane::simulator
