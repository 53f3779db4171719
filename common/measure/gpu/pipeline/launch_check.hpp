// Whether a pipeline's launch fits its kernel. The driver would not notice: it reads as many bytes
// of arguments as the kernel wants, wherever they are.
#pragma once

#include "common/measure/gpu/pipeline/kernel_module.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws UsageError that names the kernel, what does not fit and the way out: the number of
/// arguments, the bytes of one, threads of a block, or dynamic shared memory.
void check_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                  const Extents::Launch& launch);

/// check_launch(), and permits the kernel all the dynamic shared memory of a block if the launch
/// needs more than any kernel may have. Throws CudaError, too.
void prepare_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                    const Extents::Launch& launch);

}  // namespace trilane
