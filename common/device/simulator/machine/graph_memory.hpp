// Memory of allocation nodes: fixed addresses, with physical memory while needed.
#pragma once

#include "common/device/simulator/operations/memory.hpp"
#include "common/device/simulator/operations/objects.hpp"

namespace trilane::simulator {

class Machine;

/// The addresses of a graph's allocation nodes and their state.
struct GraphArena {
  struct Slot {
    Range block, range;                   ///< its addresses; those of the latest allocation
    std::uint64_t freed_in = 0;           ///< number of the graph with its free node; 0 if none
    cudaGraphNode_t free_node = nullptr;  ///< if it is in this graph
    bool live = false;                    ///< allocated by a launch and not freed
    std::set<int> sharers{};              ///< of the pool from which it was captured
  };
  std::map<std::uintptr_t, Slot> slots;  ///< by address
  std::uint64_t mapped = 0;              ///< bytes of physical memory
  Frontier last;                         ///< of the launches and frees that use it
};

/// The graph memory of one device.
struct GraphMemory {
  std::map<std::uint64_t, GraphArena> arenas;  ///< by graph number
  /// Bytes of physical memory: mapped by a graph (used), and taken from the device (reserved).
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};

/// Implement cudaMallocAsync and cudaFreeAsync on a capturing stream: an allocation node, which has
/// the same address at every launch, and a free node. Device and access are those of `pool`.
/// Freeing refuses (cudaErrorInvalidValue) memory without an allocation node, or with a free node.
void* capture_allocation(Machine& machine, CUstream_st& stream, std::uint64_t bytes,
                         const CUmemPoolHandle_st& pool);
void capture_release(Machine& machine, CUstream_st& stream, void* memory);

/// Takes the physical memory that the executable needs, in steps of 32 MiB. Refuses
/// (cudaErrorMemoryAllocation) if a device has less.
void map_graph_memory(Machine& machine, const CUgraphExec_st& executable);

/// Must be called before a launch. If memory of the last launch is still allocated, frees it if the
/// executable was instantiated to do so, and otherwise refuses the launch (cudaErrorInvalidValue).
void prepare_graph_memory(Machine& machine, const CUgraphExec_st& executable, CUstream_st& stream);

/// Records what a launch that ends in `leaves` has allocated and freed.
void note_graph_launch(Machine& machine, const CUgraphExec_st& executable, const Frontier& leaves);

/// Returns the live allocation of a graph that begins at `memory`, or an empty range.
Range live_graph_memory(Machine& machine, const void* memory);
/// Records that it is freed by the operations of `release`, or by the host if none exist.
void end_graph_life(Machine& machine, const void* memory, const Frontier& release);

/// Releases the addresses of destroyed graphs whose memory is idle, but not the physical memory.
void collect_graph_memory(Machine& machine);

/// Returns unused physical memory to the device.
void trim_graph_memory(Machine& machine, int device);

}  // namespace trilane::simulator
