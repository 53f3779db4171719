// Memory of graphs' allocation nodes: fixed addresses, physical memory while it is needed.
#pragma once

#include <cstdint>
#include <map>

#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/objects.hpp"

namespace trilane::simulator {

class Machine;

/// The addresses of one graph's allocation nodes, and what has become of them.
struct GraphArena {
  struct Slot {
    Range block, range;                   ///< its addresses; of the latest allocation in it
    std::uint64_t freed_in = 0;           ///< number of the graph with its free node; 0: none
    cudaGraphNode_t free_node = nullptr;  ///< where that is this graph
    bool live = false;                    ///< a launch has allocated it and nothing has freed it
  };
  std::map<std::uintptr_t, Slot> slots;  ///< by address
  std::uint64_t mapped = 0;              ///< bytes of physical memory behind all of them
  Frontier last;                         ///< of the launches and frees on them
};

struct GraphMemory {
  std::map<std::uint64_t, GraphArena> arenas;  ///< by the number of the graph
  /// Bytes of physical memory: mapped by some graph, and of all that was taken.
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
};

/// cudaMallocAsync and cudaFreeAsync on a capturing stream: an allocation node, whose address is
/// the same at every launch, and a free node. Refuses (cudaErrorInvalidValue) to free what no
/// allocation node has allocated, or what has a free node already.
void* capture_allocation(Machine& machine, CUstream_st& stream, std::uint64_t bytes);
void capture_release(Machine& machine, CUstream_st& stream, void* memory);

/// Takes the physical memory that the executable needs, in steps of 32 MiB. Refuses
/// (cudaErrorMemoryAllocation) when the device has not got it.
void map_graph_memory(Machine& machine, const CUgraphExec_st& executable);

/// Before a launch: refuses one that would allocate what is allocated still
/// (cudaErrorInvalidValue), or frees that first, where the executable was instantiated so.
void prepare_graph_memory(Machine& machine, const CUgraphExec_st& executable, CUstream_st& stream);

/// After a launch that ends in `leaves`: what it has allocated and freed.
void note_graph_launch(Machine& machine, const CUgraphExec_st& executable, const Frontier& leaves);

/// The latest allocation of a graph that begins at `memory`, if a launch has made it and nothing
/// has freed it; an empty range otherwise.
Range live_graph_memory(const Machine& machine, const void* memory);
/// It is freed, by the operations of `release` or, without any, by the host.
void end_graph_life(Machine& machine, const void* memory, const Frontier& release);

/// Memory of graphs that are gone goes back, once nothing in it is allocated and all has run. The
/// physical part stays reserved.
void collect_graph_memory(Machine& machine);

/// Physical memory that no graph is using goes back to the device.
void trim_graph_memory(Machine& machine);

}  // namespace trilane::simulator
