// Times of the kernels of a pipeline file.
#pragma once

#include <cstdint>

#include "common/model/workload/file/measured_times.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns the time of each kernel on a full chunk's data, alone on the device: the shortest of
/// several readings behind a gate. A fused kernel works on mapped host memory, as it does in a
/// pass. Throws the errors of LoadedPipeline and GatedTimer, and UsageError for a fused kernel with
/// pageable memory.
KernelTimes kernel_times(const Workload& workload, std::uint64_t seed);

}  // namespace trilane
