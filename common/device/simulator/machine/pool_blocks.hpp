// The blocks of memory pools: reuse of free ones, and physical memory for new ones.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// `bytes` rounded up to 32 MiB, the steps in which pools and graphs take physical memory.
std::uint64_t in_pool_steps(std::uint64_t bytes);

/// Takes a block of at least `bytes` for an operation on `stream`, which must come after the
/// block's release: a free one that may be reused (CUDA Programming Guide, "Memory Reuse
/// Policies"), or a new one. Refuses (cudaErrorMemoryAllocation) if there is neither.
CUmemPoolHandle_st::Freed take_block(Machine& machine, CUmemPoolHandle_st& pool,
                                     std::uint64_t bytes, const CUstream_st& stream);

/// Returns what the host knows to be free, but keeps at least `keep` bytes reserved.
void trim(Machine& machine, CUmemPoolHandle_st& pool, std::uint64_t keep);

}  // namespace trilane::simulator
