// Memory pools: stream-ordered allocation and what memory is used again for it.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// What allocates and frees a range, in a stream or as a node.
Task allocation_task(const Range& range);
Task release_task(const Range& range);

/// The pool that cudaMallocAsync takes from.
CUmemPoolHandle_st& default_pool(Machine& machine);

/// Allocates from the pool in the order of `stream`, which is not capturing. Refuses
/// (cudaErrorMemoryAllocation) when there is no memory.
void* allocate_from(Machine& machine, CUmemPoolHandle_st& pool, std::uint64_t bytes,
                    CUstream_st& stream);

/// Frees in the order of `stream`, which is not capturing: a pool's memory, a graph's, or
/// cudaMalloc's. Refuses (cudaErrorInvalidValue) what is none of these, or free already.
void free_in_order(Machine& machine, void* memory, CUstream_st& stream);

/// cudaFree of a pool's or a graph's memory: at once, and without waiting for anything. False when
/// it is neither.
bool release_pool_memory(Machine& machine, void* memory);

/// cudaMemPoolDestroy: nothing can be allocated from it any more, and its memory goes back as it is
/// freed.
void destroy(Machine& machine, CUmemPoolHandle_st& pool);

/// What the host has seen freed goes back to the device, as far as it exceeds the pools' release
/// thresholds, and the memory of pools and graphs that are gone; called whenever the host has
/// waited.
void pools_at_synchronisation(Machine& machine);

}  // namespace trilane::simulator
