#include "common/application/replay/memory/replayed_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "common/application/recording/observed_graph.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/size.hpp"

namespace trilane {

namespace {

bool any_argument_in(const MemoryFacts& memory, const ObservedIteration& iteration) {
  return std::ranges::any_of(iteration.calls, [&](const ObservedCall& call) {
    if (points_into(call.launch, memory)) return true;
    return call.graph && std::ranges::any_of(call.graph->nodes, [&](const auto& node) {
             return points_into(node->call.launch, memory);
           });
  });
}

bool is_kept(const MemoryFacts& memory, const ObservedIteration& iteration) {
  switch (memory.kind) {
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::module: return true;
    case MemoryKind::pinned: return any_argument_in(memory, iteration);
    case MemoryKind::pageable:
    case MemoryKind::managed:
    case MemoryKind::unknown: return false;
  }
  return false;
}

bool lies_in(CUmemorytype type, const MemoryFacts& memory) {
  return std::ranges::all_of(
      std::array{memory.base, memory.base + memory.bytes - 1}, [type](std::uint64_t address) {
        unsigned found = 0;
        return driver().cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) ==
                   CUDA_SUCCESS &&
               found == type;
      });
}

bool is_allocation(const MemoryFacts& memory) {
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  return driver().cuMemGetAddressRange(&base, &bytes, memory.base) == CUDA_SUCCESS &&
         base == memory.base && bytes >= memory.bytes;
}

/// A variable may have been found by its name, and by an argument that points into it.
std::vector<MemoryFacts> without_overlaps(std::vector<MemoryFacts> memory) {
  std::ranges::sort(memory, {}, &MemoryFacts::base);
  std::vector<MemoryFacts> all;
  for (const MemoryFacts& next : memory) {
    if (all.empty() || next.base - all.back().base >= all.back().bytes) {
      all.push_back(next);
    } else {
      const std::uint64_t end = next.base - all.back().base + next.bytes;
      all.back().bytes = std::max(all.back().bytes, end);
    }
  }
  return all;
}

}  // namespace

bool is_still_there(const MemoryFacts& memory) {
  if (memory.bytes == 0) return true;
  switch (memory.kind) {
    case MemoryKind::device: return is_allocation(memory);
    case MemoryKind::pool:
    case MemoryKind::module: return lies_in(CU_MEMORYTYPE_DEVICE, memory);
    case MemoryKind::pinned: return lies_in(CU_MEMORYTYPE_HOST, memory);
    case MemoryKind::pageable:
    case MemoryKind::managed:
    case MemoryKind::unknown: return true;
  }
  return true;
}

bool points_into(const ObservedLaunch& launch, const MemoryFacts& memory) {
  const auto bytes = launch.arguments;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value - memory.base < memory.bytes) return true;
  }
  return false;
}

std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const std::vector<MemoryFacts>& variables,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes) {
  std::vector<MemoryFacts> kept = variables;
  for (const MemoryFacts& memory : live) {
    if (!is_kept(memory, iteration)) continue;
    if (!is_still_there(memory)) {
      throw NotPossible("memory was released while only the ends of iterations were watched");
    }
    kept.push_back(memory);
  }
  kept = without_overlaps(std::move(kept));
  const std::uint64_t bytes = bytes_of(kept);
  if (bytes <= most_bytes) return kept;
  throw NotPossible(fmt::format("its memory is {}, and a snapshot may be {}; see --snapshot",
                                format_bytes(bytes), format_bytes(most_bytes)));
}

}  // namespace trilane
