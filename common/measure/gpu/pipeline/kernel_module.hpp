// User-supplied kernels, loaded onto the current device, and the checks of their launches.
#pragma once

#include <cuda_runtime_api.h>

#include "common/measure/gpu/compile/compile.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

using KernelLibrary = std::unique_ptr<CUlib_st, Release<cudaLibraryUnload>>;

/// The kernels of one file. They are loaded completely, so no first launch waits for loading.
class KernelModule {
 public:
  struct Kernel {
    const void* function = nullptr;  ///< for cudaLaunchKernel and graph nodes
    std::string name;                ///< demangled, or as in the module if it is not mangled
    std::vector<std::size_t> parameter_sizes;               ///< bytes of each
    int max_threads = 0;                                    ///< in a block
    std::size_t static_shared = 0, max_dynamic_shared = 0;  ///< bytes of a block
  };

  /// Compiles the file if it is a source, loads it, and finds the kernels called `names`. Throws
  /// the errors of image_of() and chosen_kernel(), UsageError if the driver refuses the image, and
  /// CudaError.
  KernelModule(const std::filesystem::path& file, const std::vector<std::string>& names);

  /// Returns the kernel with that name in the constructor's list; throws std::out_of_range for
  /// another.
  const Kernel& kernel(const std::string& name) const { return kernels_.at(name); }

 private:
  KernelLibrary library_;
  std::map<std::string, Kernel> kernels_;  // by their given names
};

/// Throws UsageError that names the kernel, the mismatch and the remedy. It checks the number of
/// arguments, the bytes of each, threads of a block, and dynamic shared memory.
void check_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                  const Extents::Launch& launch);

/// Calls check_launch(). Permits the kernel, on the current GPU, all the dynamic shared memory of a
/// block if the launch needs more than the default limit. Also throws CudaError.
void prepare_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                    const Extents::Launch& launch);

}  // namespace trilane
