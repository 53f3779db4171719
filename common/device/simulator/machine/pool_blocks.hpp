// The blocks of memory pools: which of them may be used again, and physical memory for new ones.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// `bytes` rounded up: pools and graphs take physical memory from the device in steps of 32 MiB.
std::uint64_t in_pool_steps(std::uint64_t bytes);

/// Takes a block of at least `bytes` for an operation on `stream`, which is to come after the
/// block's release: one that was freed and may be used again (CUDA Programming Guide, "Memory Reuse
/// Policies"), or a new one. Refuses (cudaErrorMemoryAllocation) when there is none.
CUmemPoolHandle_st::Freed take_block(Machine& machine, CUmemPoolHandle_st& pool,
                                     std::uint64_t bytes, const CUstream_st& stream);

/// Gives back what the host has seen freed, but leaves at least `keep` bytes reserved.
void trim(Machine& machine, CUmemPoolHandle_st& pool, std::uint64_t keep);

}  // namespace trilane::simulator
