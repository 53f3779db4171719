// Checks that a pipeline's launch fits its kernel. The driver would not notice: it reads as many
// bytes of arguments as the kernel expects, wherever they are.
#pragma once

#include "common/measure/gpu/pipeline/kernel_module.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws UsageError that names the kernel, the mismatch and the remedy. It checks the number of
/// arguments, the bytes of each, threads of a block, and dynamic shared memory.
void check_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                  const Extents::Launch& launch);

/// Calls check_launch(). Permits the kernel all the dynamic shared memory of a block if the launch
/// needs more than the default limit. Also throws CudaError.
void prepare_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                    const Extents::Launch& launch);

}  // namespace trilane
