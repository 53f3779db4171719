// A first, watched run of a pipeline file, which reveals errors in its kernels.
#pragma once

#include <cstdint>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Loads the kernels of the workload's pipeline and runs serial twice. Throws UsageError and
/// NotPossible as LoadedPipeline does. Throws WrongResult that names the kernel for:
/// - an error on the device,
/// - undeclared writes,
/// - results that differ between the two runs, or that nothing wrote.
/// A stage that takes longer than `limit_us` ends the process with exit_wrong and a message,
/// because nothing can stop a kernel. On the simulated device it only loads the kernels.
void run_trial(const Workload& workload, std::uint64_t seed, double limit_us);

}  // namespace trilane
