// How long each kernel of a pipeline file takes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/workload/workload.hpp"

namespace trilane {

/// The time of each kernel on a full chunk's data, alone on the device, in microseconds: the
/// shortest of several readings behind a gate. Throws what LoadedPipeline and GatedTimer do.
std::vector<double> kernel_times_us(const Workload& workload, std::uint64_t seed);

}  // namespace trilane
