#include "common/application/replay/memory/replayed_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/application/recording/observed_graph.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/size.hpp"

namespace trilane {

namespace {

bool any_argument_in(const MemoryFacts& memory, const ObservedCall& call) {
  const auto bytes = call.launch.arguments;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value - memory.base < memory.bytes) return true;
  }
  return false;
}

bool any_argument_in(const MemoryFacts& memory, const ObservedIteration& iteration) {
  return std::ranges::any_of(iteration.calls, [&](const ObservedCall& call) {
    if (any_argument_in(memory, call)) return true;
    return call.graph && std::ranges::any_of(call.graph->nodes, [&](const auto& node) {
             return any_argument_in(memory, node->call);
           });
  });
}

bool is_kept(const MemoryFacts& memory, const ObservedIteration& iteration) {
  switch (memory.kind) {
    case MemoryKind::device:
    case MemoryKind::pool: return true;
    case MemoryKind::pinned: return any_argument_in(memory, iteration);
    case MemoryKind::pageable:
    case MemoryKind::managed:
    case MemoryKind::module:
    case MemoryKind::unknown: return false;
  }
  return false;
}

bool is_still_there(const MemoryFacts& memory) {
  if (memory.kind != MemoryKind::device) return true;
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  return driver().cuMemGetAddressRange(&base, &bytes, memory.base) == CUDA_SUCCESS &&
         base == memory.base && bytes >= memory.bytes;
}

}  // namespace

std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes) {
  std::vector<MemoryFacts> kept;
  for (const MemoryFacts& memory : live) {
    if (!is_kept(memory, iteration)) continue;
    if (!is_still_there(memory)) {
      throw NotPossible("memory was released while only the ends of iterations were watched");
    }
    kept.push_back(memory);
  }
  const std::uint64_t bytes = bytes_of(kept);
  if (bytes <= most_bytes) return kept;
  throw NotPossible(fmt::format("its memory is {}, and a snapshot may be {}; see --snapshot",
                                format_bytes(bytes), format_bytes(most_bytes)));
}

}  // namespace trilane
