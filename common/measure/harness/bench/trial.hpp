// A first run of a pipeline file, watched: what is wrong with its kernels shows here.
#pragma once

#include <cstdint>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Loads the kernels of the workload's pipeline and runs serial twice. Throws UsageError and
/// NotPossible as LoadedPipeline does, and WrongResult that names the kernel: for an error on the
/// device, writes that it does not declare, results that differ between the two runs or that
/// nothing wrote. A stage that takes longer than `limit_us` ends the process with exit_wrong and a
/// message, because nothing can stop a kernel. On the simulated device it only loads them.
void run_trial(const Workload& workload, std::uint64_t seed, double limit_us);

}  // namespace trilane
