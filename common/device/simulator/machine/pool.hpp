// Memory pools: stream-ordered allocations, and their blocks.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// Return tasks that allocate and free a range, in a stream or as a node.
Task allocation_task(const Range& range);
Task release_task(const Range& range);

/// Returns the pool of cudaMallocAsync on that device.
CUmemPoolHandle_st& default_pool(Machine& machine, int device);

bool is_default_pool(const Machine& machine, cudaMemPool_t handle);

/// Returns the pool behind a handle. Throws Refusal (cudaErrorInvalidValue) if none exists.
CUmemPoolHandle_st& pool_of(Machine& machine, cudaMemPool_t handle);

/// Returns the other devices that may access a block of a pool or a graph; null for other memory.
const std::set<int>* sharers_of(Machine& machine, const Block& block);

/// Allocates from the pool in the order of `stream`, which must not be capturing. Refuses
/// (cudaErrorMemoryAllocation) if there is not enough memory.
void* allocate_from(Machine& machine, CUmemPoolHandle_st& pool, std::uint64_t bytes,
                    CUstream_st& stream);

/// Frees memory of a pool, of a graph or of cudaMalloc, in the order of `stream`, which must not be
/// capturing. Refuses (cudaErrorInvalidValue) other memory, and memory that is already free.
void free_in_order(Machine& machine, void* memory, CUstream_st& stream);

/// Implements cudaFree for memory of a pool or a graph, without a wait; false for other memory.
bool release_pool_memory(Machine& machine, void* memory);

/// Implements cudaMemPoolDestroy: ends allocations, and returns memory as it is freed.
void destroy(Machine& machine, CUmemPoolHandle_st& pool);

/// Returns memory to the device: of pools above their release thresholds, as far as the host knows
/// it to be free, and of destroyed pools and graphs. Must be called after every wait of the host.
void pools_at_synchronisation(Machine& machine);

/// Returns `bytes` rounded up to 32 MiB, the granularity of pools' and graphs' physical memory.
std::uint64_t in_pool_steps(std::uint64_t bytes);

/// Returns memory that the host knows to be free, but keeps at least `keep` bytes reserved.
void trim(Machine& machine, CUmemPoolHandle_st& pool, std::uint64_t keep);

}  // namespace trilane::simulator
