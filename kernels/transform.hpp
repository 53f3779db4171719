// The kernels that accumulate a chunk's input into its result.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// Returns the kernel for as many outputs as inputs: out[i] += mix(in[i] ^ salt, rounds).
const void* transform_each_kernel();

/// Returns the kernel for fewer outputs: out[i % out_count] += mix(in[i] ^ salt, rounds), with one
/// atomic addition per thread, or per block and output if a block has a thread for each output.
const void* transform_reduce_kernel();

/// Returns a launch of either kernel. `in` and `out` are device memory; alignment to 16 bytes is
/// fastest. Counts are words, and 1 <= out_count <= in_count. `kernel` is the position in the
/// chunk's sequence of kernels.
KernelLaunch transform_launch(const std::uint32_t* in, std::uint32_t* out, std::uint64_t in_count,
                              std::uint64_t out_count, std::uint32_t kernel, std::uint32_t rounds);

}  // namespace trilane
