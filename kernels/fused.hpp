// All stages of chunks in one kernel, from mapped host memory to mapped host memory.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// Returns the kernel for as many outputs as inputs: out[i] = the sum of mix(in[i] ^ salt(k),
/// rounds) over all k < depth.
const void* fused_each_kernel();

/// Threads of a block of fused_reduce_kernel(), at most.
inline constexpr unsigned fused_reduce_block = 512;

/// Returns the kernel for fewer outputs: in each chunk, out[j] = the sum of that over all i with i
/// % (outputs) == j. A block works on up to 64 outputs of one chunk, with several groups of threads
/// per output.
const void* fused_reduce_kernel();

/// The consecutive chunks of a launch. The last one may be shorter. Counts are words.
struct FusedShape {
  std::uint64_t in_count;      ///< of all chunks
  std::uint64_t chunk_count;   ///< of every chunk except the last
  std::uint64_t result_count;  ///< outputs of a chunk, cut to the chunk's words if that is shorter
  std::uint32_t depth, rounds;
};

/// Returns a launch of either kernel for all chunks. `in` and `out` point to the first chunk.
KernelLaunch fused_launch(const std::uint32_t* in, std::uint32_t* out, const FusedShape& shape);

}  // namespace trilane
