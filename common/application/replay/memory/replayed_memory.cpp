#include "common/application/replay/memory/replayed_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "common/application/recording/memory/memory_map.hpp"
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

/// Nothing: the driver does not know the address.
std::optional<CUmemorytype> type_at(std::uint64_t address) {
  unsigned found = 0;
  const CUresult code =
      driver().cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  if (code != CUDA_SUCCESS) return std::nullopt;
  return static_cast<CUmemorytype>(found);
}

bool lies_in(CUmemorytype type, const MemoryFacts& memory) {
  return type_at(memory.base) == type && type_at(memory.base + memory.bytes - 1) == type;
}

/// The words of a launch that may be addresses: no others are mapped.
std::vector<std::uint64_t> addresses_in(const ObservedLaunch& launch) {
  constexpr std::uint64_t least = 0x10000;
  constexpr int bits = 57;
  std::vector<std::uint64_t> found;
  const auto bytes = launch.arguments;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value >= least && value >> bits == 0) found.push_back(value);
  }
  return found;
}

bool holds(const std::vector<MemoryFacts>& sorted, std::uint64_t address) {
  const auto next = std::ranges::upper_bound(sorted, address, {}, &MemoryFacts::base);
  return next != sorted.begin() && address - std::prev(next)->base < std::prev(next)->bytes;
}

/// What the driver knows and a replay may read and write.
bool is_reachable(std::uint64_t address) {
  const auto type = type_at(address);
  return type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_HOST;
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
  return std::ranges::any_of(addresses_in(launch), [&](std::uint64_t address) {
    return address - memory.base < memory.bytes;
  });
}

bool lies_on_device(std::uint64_t address) { return type_at(address) == CU_MEMORYTYPE_DEVICE; }

void require_small_copies(const ApplicationRecording& recording, std::uint64_t most_bytes) {
  std::uint64_t bytes = 0;
  const auto add = [&](const auto& operation) {
    if (operation.kind != CallKind::copy) return;
    for (const UsedRange& range : operation.uses) {
      const bool host = on_host(recording.memory[range.memory].kind);
      if (host) bytes += std::min(range.bytes, operation.bytes);
    }
  };
  for (const RecordedCall& call : recording.calls) {
    add(call);
    if (!call.graph) continue;
    for (const RecordedNode& node : recording.graphs[*call.graph].nodes) add(node);
  }
  if (bytes <= most_bytes) return;
  throw NotPossible(
      fmt::format("it copies {} from and to the host, and a snapshot may be {}; see "
                  "--snapshot",
                  format_bytes(bytes), format_bytes(most_bytes)));
}

void require_kept(const ObservedIteration& iteration, const std::vector<MemoryFacts>& kept) {
  MemoryMap own;
  const auto check = [&](const ObservedCall& call) {
    if (allocates(call.kind)) own.allocated(MemoryKind::device, call.destination, call.bytes);
    for (const std::uint64_t address : addresses_in(call.launch)) {
      if (holds(kept, address) || own.find(address) != nullptr || !is_reachable(address)) continue;
      throw NotPossible(
          "a kernel's argument points into memory that it did not before this iteration, and that "
          "is not kept");
    }
  };
  for (const ObservedCall& call : iteration.calls) {
    check(call);
    if (!call.graph) continue;
    for (const auto& node : call.graph->nodes) check(node->call);
  }
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
