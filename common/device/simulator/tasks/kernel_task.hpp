// Kernel launches as tasks, and what they move over the link to the host.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// What of the accesses is to the device's memory, and what to the host's, by where it is now.
Traffic traffic_of(const std::vector<Access>& accesses, const Memory& memory);

/// A launch of the kernel that `function` stands for; its arguments are copied now. A grid or block
/// that cannot be is refused with `wrong_configuration`.
Task kernel_task(const Machine& machine, const void* function, dim3 grid, dim3 block,
                 std::size_t shared_bytes, void** arguments, cudaError_t wrong_configuration);

}  // namespace trilane::simulator
