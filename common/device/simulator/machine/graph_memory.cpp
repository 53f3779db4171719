#include "common/device/simulator/machine/graph_memory.hpp"

#include "common/device/simulator/machine/graphs.hpp"
#include "common/device/simulator/machine/pool.hpp"

namespace trilane::simulator {

namespace {

using Slot = GraphArena::Slot;

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Returns the slot that begins at an address and its arena, or nulls if none does.
std::pair<Slot*, GraphArena*> slot_at(Machine& m, const void* memory) {
  const auto [range, place, graph, device] = m.memory.find(memory);
  if (place != Place::graph || range.begin != address_of(memory)) return {};
  GraphArena& arena = m.gpu(device).graph_memory.arenas.at(graph);
  return {&arena.slots.at(range.begin), &arena};
}

/// Returns true if nothing in it is allocated, and everything that used it has run.
bool is_idle(const GraphArena& arena) {
  return !includes(arena.slots | std::views::values, true, &Slot::live) && all_done(arena.last);
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

bool exists(const Machine& m, std::uint64_t number) {
  return includes(m.graphs, number, &CUgraph_st::number) ||
         includes(m.captures, number, [](const auto& one) { return one->graph->number; }) ||
         includes(m.executables, number, &CUgraphExec_st::graph);
}

}  // namespace

void* capture_allocation(Machine& m, CUstream_st& stream, std::uint64_t bytes,
                         const CUmemPoolHandle_st& pool) {
  const std::uint64_t graph = stream.capture->graph->number;
  GraphArena& arena = m.gpu(pool.device).graph_memory.arenas[graph];
  Slot* slot = reused_slot(m, arena, stream, bytes);
  if (slot == nullptr) {
    const auto block = m.memory.allocate(bytes, Place::graph, graph, pool.device);
    require(block.has_value(), cudaErrorMemoryAllocation);
    m.hazards.allocated(*block);
    slot = &arena.slots[block->range.begin];
    slot->block = block->range;
  }
  const Range range{slot->block.begin, slot->block.begin + bytes};
  *slot = {.block = slot->block, .range = range, .sharers = pool.sharers};
  capture_node(m, stream, allocation_task(range));
  return reinterpret_cast<void*>(range.begin);
}

void capture_release(Machine& m, CUstream_st& stream, void* memory) {
  const std::uint64_t graph = stream.capture->graph->number;
  const auto check = [&stream](bool valid) {
    if (!valid) stream.capture->invalidated = true;
    require(valid);
  };
  Slot* const slot = slot_at(m, memory).first;
  check(slot != nullptr);
  // CUDA Runtime API, cudaGraphAddMemAllocNode: freed in the owning graph or in others, once each.
  const std::uint64_t owner = m.memory.find(memory).owner, before = slot->freed_in;
  check(before == 0 || (owner != graph && before != owner && before != graph));
  capture_node(m, stream, release_task(slot->range));
  slot->freed_in = graph;
  if (owner == graph) slot->free_node = stream.capture_tail.front();
}

void map_graph_memory(Machine& m, const CUgraphExec_st& executable) {
  for (Gpu& device : m.gpus) {
    GraphMemory& all = device.graph_memory;
    const auto arena = all.arenas.find(executable.graph);
    if (arena == all.arenas.end()) continue;
    std::uint64_t bytes = 0;  // all allocations may live at once
    for (const auto& [address, slot] : arena->second.slots) bytes += slot.block.size();
    const std::uint64_t needed = in_pool_steps(bytes);
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
  for (const Gpu& device : m.gpus) {
    const auto arena = device.graph_memory.arenas.find(executable.graph);
    if (arena == device.graph_memory.arenas.end()) continue;
    for (const auto& [address, slot] : arena->second.slots) {
      if (slot.live) live.push_back(address);
    }
  }
  require(executable.frees_itself || live.empty());
  map_graph_memory(m, executable);
  if (!live.empty()) merge(stream.tail, executable.last);  // the frees belong to this launch
  for (const std::uintptr_t address : live) {
    free_in_order(m, reinterpret_cast<void*>(address), stream);
  }
}

void note_graph_launch(Machine& m, const CUgraphExec_st& executable, const Frontier& leaves) {
  std::set<GraphArena*> used;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    if (!is_about_memory(node.task)) continue;
    const std::uintptr_t address = node.task->accesses.front().range.begin;
    const auto [slot, arena] = slot_at(m, reinterpret_cast<const void*>(address));
    if (slot == nullptr) continue;  // the hazard check reports its use
    slot->live = node.task->kind == Kind::allocate;
    used.insert(arena);
  }
  for (GraphArena* const arena : used) note_use(*arena, leaves);
}

Range live_graph_memory(Machine& m, const void* memory) {
  const Slot* const slot = slot_at(m, memory).first;
  return slot != nullptr && slot->live ? slot->range : Range{};
}

void end_graph_life(Machine& m, const void* memory, const Frontier& release) {
  const auto [slot, arena] = slot_at(m, memory);
  slot->live = false;
  note_use(*arena, release);
}

void collect_graph_memory(Machine& m) {
  for (Gpu& device : m.gpus) {
    std::erase_if(device.graph_memory.arenas, [&](const auto& entry) {
      const auto& [graph, arena] = entry;
      if (exists(m, graph) || !is_idle(arena)) return false;
      device.graph_memory.used -= arena.mapped;
      for (const auto& [address, slot] : arena.slots) {
        m.memory.release(reinterpret_cast<const void*>(address));
      }
      return true;
    });
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
