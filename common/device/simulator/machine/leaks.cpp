#include <fmt/format.h>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

template <typename Object>
void add(std::vector<std::string>& leaks, const char* what,
         const std::vector<std::unique_ptr<Object>>& objects) {
  for (const auto& object : objects) leaks.push_back(fmt::format("{} {}", what, object->number));
}

/// What memory of a sort is told as; empty for sorts that belong to a pool or a graph, which are
/// told themselves.
const char* sort_of(Place place) {
  switch (place) {
    case Place::device: return "device memory";
    case Place::pinned: return "pinned host memory";
    case Place::registered: return "registered host memory";
    default: return "";
  }
}

}  // namespace

std::vector<std::string> Machine::leaks() const {
  std::vector<std::string> leaks;
  add(leaks, "stream", streams);
  add(leaks, "event", events);
  add(leaks, "graph", graphs);
  add(leaks, "executable graph", executables);
  const auto add_memory = [&leaks](const CUmemPoolHandle_st& pool) {
    for (const auto& [begin, range] : pool.live) {
      leaks.push_back(fmt::format("{} bytes of pool {}", range.size(), pool.number));
    }
  };
  if (default_pool) add_memory(*default_pool);
  for (const auto& pool : pools) {
    if (!pool->destroyed) leaks.push_back(fmt::format("pool {}", pool->number));
    add_memory(*pool);
  }
  for (const auto& [graph, arena] : graph_memory.arenas) {
    for (const auto& [address, slot] : arena.slots) {
      if (!slot.live) continue;
      leaks.push_back(fmt::format("{} bytes of graph {}", slot.range.size(), graph));
    }
  }
  for (const auto& [begin, block] : memory.blocks()) {
    const std::string sort = sort_of(block.place);
    if (!sort.empty()) leaks.push_back(fmt::format("{} bytes of {}", block.range.size(), sort));
  }
  return leaks;
}

}  // namespace trilane::simulator
