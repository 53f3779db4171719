// The kernels, and how a launch of them is put together.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <array>
#include <cstdint>

namespace trilane {

/// The kernel for as many outputs as inputs: out[i] += mix(in[i] ^ salt, rounds).
const void* transform_each_kernel();

/// The kernel for fewer outputs: out[i % out_count] += mix(in[i] ^ salt, rounds), one atomic
/// addition per thread.
const void* transform_reduce_kernel();

/// One launch of either kernel, ready for cudaLaunchKernel or cudaKernelNodeParams.
struct TransformLaunch {
  /// `in` and `out` are device memory, aligned to 16 bytes, `in_count` and `out_count` are words,
  /// 1 <= out_count <= in_count; `kernel` is the position in the chunk's sequence of kernels.
  TransformLaunch(const std::uint32_t* in, std::uint32_t* out, std::uint64_t in_count,
                  std::uint64_t out_count, std::uint32_t kernel, std::uint32_t rounds);

  /// Pointers to the arguments in the kernels' order; valid while this object stays where it is.
  std::array<void*, 7> arguments();

  const void* function;
  dim3 grid, block;

 private:
  const std::uint32_t* in_;
  std::uint32_t* out_;
  std::uint64_t in_count_, out_count_, stride_;
  std::uint32_t salt_, rounds_;
};

/// Loads both kernels onto the current device: loading is lazy, and a kernel's first launch would
/// pay for it. Returns the first error.
cudaError_t load_kernels();

}  // namespace trilane
