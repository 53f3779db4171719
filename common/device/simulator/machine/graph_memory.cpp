#include "common/device/simulator/machine/graph_memory.hpp"

#include "common/device/simulator/machine/graphs.hpp"
#include "common/device/simulator/machine/pool.hpp"

namespace trilane::simulator {

namespace {

using Slot = GraphArena::Slot;

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Returns the arena with an allocation at that address and its graph number, or null.
std::pair<const std::uint64_t, GraphArena>* arena_of(Machine& m, std::uintptr_t address) {
  for (Gpu& device : m.gpus) {
    for (auto& entry : device.graph_memory.arenas) {
      if (entry.second.slots.contains(address)) return &entry;
    }
  }
  return nullptr;
}

bool is_live(const std::pair<const std::uintptr_t, Slot>& slot) { return slot.second.live; }

/// Returns true if nothing in it is allocated, and everything that used it has run.
bool is_idle(const GraphArena& arena) {
  return std::ranges::none_of(arena.slots, is_live) && all_done(arena.last);
}

void note_use(GraphArena& arena, const Frontier& by) {
  std::erase_if(arena.last, [](const OperationPtr& operation) { return operation->done; });
  merge(arena.last, by);
}

/// Returns a slot that may be reused, or null. CUDA Programming Guide, "Address Reuse within a
/// Graph": an allocation may reuse an earlier one's addresses if it comes after the free node.
Slot* reused_slot(Machine& m, GraphArena& arena, const CUstream_st& stream, std::uint64_t bytes) {
  for (auto& [address, slot] : arena.slots) {
    if (slot.free_node == nullptr || slot.block.size() < bytes) continue;
    if (comes_after(stream.capture_tail, slot.free_node)) return m.draw->may() ? &slot : nullptr;
  }
  return nullptr;
}

Slot& new_slot(Machine& m, GraphArena& arena, std::uint64_t graph, std::uint64_t bytes,
               int device) {
  const auto block = m.memory.allocate(bytes, Place::graph, graph, device);
  if (!block) refuse(cudaErrorMemoryAllocation);
  m.hazards.allocated(*block);
  return arena.slots.emplace(block->range.begin, Slot{.block = block->range, .range = {}})
      .first->second;
}

/// Returns the physical memory of an arena. All allocations may live at once.
std::uint64_t footprint(const GraphArena& arena) {
  std::uint64_t bytes = 0;
  for (const auto& [address, slot] : arena.slots) bytes += slot.block.size();
  return in_pool_steps(bytes);
}

bool exists(const Machine& m, std::uint64_t number) {
  const auto graph_of = [](const auto& capture) { return capture->graph->number; };
  return includes(m.graphs, number, [](const auto& graph) { return graph->number; }) ||
         includes(m.captures, number, graph_of) ||
         includes(m.executables, number, [](const auto& made) { return made->graph; });
}

}  // namespace

void* capture_allocation(Machine& m, CUstream_st& stream, std::uint64_t bytes,
                         const CUmemPoolHandle_st& pool) {
  const std::uint64_t graph = stream.capture->graph->number;
  GraphArena& arena = m.gpu(pool.device).graph_memory.arenas[graph];
  Slot* const reused = reused_slot(m, arena, stream, bytes);
  Slot& slot = reused != nullptr ? *reused : new_slot(m, arena, graph, bytes, pool.device);
  slot = {.block = slot.block,
          .range = {slot.block.begin, slot.block.begin + bytes},
          .sharers = pool.sharers};
  capture_node(m, stream, allocation_task(slot.range));
  return reinterpret_cast<void*>(slot.block.begin);
}

void capture_release(Machine& m, CUstream_st& stream, void* memory) {
  const std::uint64_t graph = stream.capture->graph->number;
  auto* const arena = arena_of(m, address_of(memory));
  const auto check = [&stream](bool valid) {
    if (!valid) stream.capture->invalidated = true;
    require(valid);
  };
  check(arena != nullptr);
  Slot& slot = arena->second.slots.at(address_of(memory));
  // CUDA Runtime API, cudaGraphAddMemAllocNode: freed in the owning graph or in others, once each.
  const std::uint64_t owner = arena->first;
  check(slot.freed_in == 0 || (owner != graph && slot.freed_in != owner && slot.freed_in != graph));
  capture_node(m, stream, release_task(slot.range));
  slot.freed_in = graph;
  if (owner == graph) slot.free_node = stream.capture_tail.front();
}

void map_graph_memory(Machine& m, const CUgraphExec_st& executable) {
  for (Gpu& device : m.gpus) {
    GraphMemory& all = device.graph_memory;
    const auto arena = all.arenas.find(executable.graph);
    if (arena == all.arenas.end()) continue;
    const std::uint64_t needed = footprint(arena->second);
    const std::uint64_t used = all.used - arena->second.mapped + needed;
    const std::uint64_t missing = used - std::min(used, all.reserved);
    if (!m.memory.take(missing, device.number)) refuse(cudaErrorMemoryAllocation);
    arena->second.mapped = needed;
    all.used = used;
    all.reserved += missing;
    all.used_high = std::max(all.used_high, all.used);
    all.reserved_high = std::max(all.reserved_high, all.reserved);
  }
}

void prepare_graph_memory(Machine& m, const CUgraphExec_st& executable, CUstream_st& stream) {
  std::vector<std::uintptr_t> live;
  bool allocates = false;
  for (const Gpu& device : m.gpus) {
    const auto arena = device.graph_memory.arenas.find(executable.graph);
    if (arena == device.graph_memory.arenas.end()) continue;
    allocates = true;
    for (const auto& slot : arena->second.slots) {
      if (is_live(slot)) live.push_back(slot.first);
    }
  }
  if (!allocates) return;
  require(executable.frees_itself || live.empty());
  map_graph_memory(m, executable);
  merge(stream.tail, executable.last);  // the frees belong to this launch
  for (const std::uintptr_t address : live) {
    free_in_order(m, reinterpret_cast<void*>(address), stream);
  }
}

void note_graph_launch(Machine& m, const CUgraphExec_st& executable, const Frontier& leaves) {
  std::set<GraphArena*> used;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    if (!is_about_memory(node.task)) continue;
    const std::uintptr_t address = node.task->accesses.front().range.begin;
    auto* const arena = arena_of(m, address);
    if (arena == nullptr) continue;  // the hazard check reports its use
    arena->second.slots.at(address).live = node.task->kind == Kind::allocate;
    used.insert(&arena->second);
  }
  for (GraphArena* const arena : used) note_use(*arena, leaves);
}

Range live_graph_memory(Machine& m, const void* memory) {
  const auto* const arena = arena_of(m, address_of(memory));
  if (arena == nullptr) return {};
  const Slot& slot = arena->second.slots.at(address_of(memory));
  return slot.live ? slot.range : Range{};
}

void end_graph_life(Machine& m, const void* memory, const Frontier& release) {
  GraphArena& arena = arena_of(m, address_of(memory))->second;
  arena.slots.at(address_of(memory)).live = false;
  note_use(arena, release);
}

void collect_graph_memory(Machine& m) {
  const auto collect = [&m](GraphMemory& all, const auto& entry) {
    const auto& [graph, arena] = entry;
    if (exists(m, graph) || !is_idle(arena)) return false;
    all.used -= arena.mapped;
    for (const auto& [address, slot] : arena.slots) {
      m.memory.release(reinterpret_cast<const void*>(address));
    }
    return true;
  };
  for (Gpu& device : m.gpus) {
    GraphMemory& all = device.graph_memory;
    std::erase_if(all.arenas, [&](const auto& entry) { return collect(all, entry); });
  }
}

void trim_graph_memory(Machine& m, int device) {
  GraphMemory& all = m.gpu(device).graph_memory;
  for (auto& [graph, arena] : all.arenas) {
    if (is_idle(arena)) all.used -= std::exchange(arena.mapped, 0);
  }
  m.memory.give_back(all.reserved - all.used, device);
  all.reserved = all.used;
}

}  // namespace trilane::simulator
