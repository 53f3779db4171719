#include "common/application/replay/replayed_memory.hpp"

#include "common/application/iteration/memory_map.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/replayed_call.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

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

/// Visits the words of a launch that may be addresses: no others are mapped.
void each_address(const ObservedLaunch& launch, auto visit) {
  constexpr std::uint64_t least = 0x10000;
  constexpr int bits = 57;
  each_word(launch.arguments, [&](std::size_t, std::uint64_t value) {
    if (value >= least && value >> bits == 0) visit(value);
  });
}

/// Returns the sorted addresses in the arguments of an iteration's kernels. Excludes those in the
/// iteration's own allocations, or right behind one, where a range ends.
std::vector<std::uint64_t> addresses_in(const ObservedIteration& iteration) {
  MemoryMap own;
  std::vector<std::uint64_t> found;
  const auto take = [&](const ObservedCall& call) {
    if (allocates(call.kind)) own.allocated(MemoryKind::device, call.destination, call.bytes);
    each_address(call.launch, [&](std::uint64_t address) {
      if (own.find(address) == nullptr && own.find(address - 1) == nullptr) {
        found.push_back(address);
      }
    });
  };
  for (const ObservedCall& call : iteration.calls) {
    take(call);
    if (!call.graph) continue;
    for (const auto& node : call.graph->nodes) take(node->call);
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

/// Returns the block that the driver reports there, if kernels can change it.
std::optional<MemoryFacts> block_at(std::uint64_t address) {
  const auto type = type_at(address);
  if (type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_HOST) return std::nullopt;
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  const auto ask = driver().cuPointerGetAttribute;
  if (ask(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) != CUDA_SUCCESS ||
      ask(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS ||
      address - base >= bytes) {
    return std::nullopt;
  }
  const bool device = type == CU_MEMORYTYPE_DEVICE;
  return MemoryFacts{device ? MemoryKind::module : MemoryKind::pinned, base, bytes};
}

/// Returns the memory at an address if it is not among the known memory.
std::optional<MemoryFacts> unknown_at(std::uint64_t address, const MemoryMap& known) {
  if (known.find(address) != nullptr) return std::nullopt;
  const auto block = block_at(address);
  return block && known.find(block->base) == nullptr ? block : std::nullopt;
}

bool is_kept(const MemoryFacts& memory, const std::vector<std::uint64_t>& addresses) {
  if (on_device(memory.kind)) return true;
  const auto first = std::ranges::lower_bound(addresses, memory.base);
  const bool reached = first != addresses.end() && *first - memory.base < memory.bytes;
  return reached && memory.kind == MemoryKind::pinned;
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

bool any_pointer(std::span<const std::byte> content, const MemoryMap& memory) {
  return any_word(content, memory,
                  [&](std::uint64_t word) { return memory.find(word) != nullptr; });
}

template <typename Value>
Value attribute_of(CUmemoryPool pool, CUmemPool_attribute attribute) {
  Value value = 0;
  TRILANE_DRIVER(cuMemPoolGetAttribute, pool, attribute, &value);
  return value;
}

}  // namespace

bool is_still_there(const MemoryFacts& memory) {
  if (memory.bytes == 0) return true;
  if (memory.kind == MemoryKind::device) return is_allocation(memory);
  if (memory.kind == MemoryKind::pinned) return lies_in(CU_MEMORYTYPE_HOST, memory);
  return !on_device(memory.kind) || lies_in(CU_MEMORYTYPE_DEVICE, memory);
}

bool points_into(const ObservedLaunch& launch, const MemoryFacts& memory) {
  bool found = false;
  each_address(launch, [&](std::uint64_t address) {
    found = found || address - memory.base < memory.bytes;
  });
  return found;
}

bool lies_on_device(std::uint64_t address) { return type_at(address) == CU_MEMORYTYPE_DEVICE; }

void require_small_copies(const ApplicationRecording& recording, std::uint64_t most_bytes) {
  std::uint64_t bytes = 0;
  for (const RecordedCall& call : recording.calls) {
    bytes += host_bytes(recording, call);
    if (!call.graph) continue;
    for (const RecordedNode& node : recording.graphs[*call.graph].nodes) {
      bytes += host_bytes(recording, node);
    }
  }
  if (bytes <= most_bytes) return;
  throw NotPossible(
      fmt::format("it copies {} to and from the host, and a snapshot may be {}; see --snapshot",
                  format_bytes(bytes), format_bytes(most_bytes)));
}

void set_apart(TakenIteration& taken, Snapshot& before) {
  const std::vector<std::size_t> freed = inherited_frees(taken.observed);
  for (std::size_t i = 0; i < taken.observed.calls.size(); ++i) {
    const ObservedCall& call = taken.observed.calls[i];
    const bool inherits = std::ranges::binary_search(freed, i);
    if (!inherits && !allocates(call.kind)) continue;
    const auto found = std::ranges::find_if(before.memory(), [&](const MemoryFacts& memory) {
      return call.destination - memory.base < memory.bytes;
    });
    if (found == before.memory().end()) continue;
    const bool whole = found->base == call.destination;
    std::vector<std::byte> content =
        before.take_out(static_cast<std::size_t>(found - before.memory().begin()));
    if (inherits && whole) taken.inherited.push_back({i, call.destination, std::move(content)});
  }
  taken.kept = before.memory();
  MemoryMap inherited;
  for (const InheritedMemory& memory : taken.inherited) {
    inherited.allocated(MemoryKind::pool, memory.address, memory.content.size());
  }
  // A replay's memory is elsewhere: such a pointer would lead to freed memory.
  bool pointed_to = std::ranges::any_of(
      taken.inherited, [&](const auto& memory) { return any_pointer(memory.content, inherited); });
  for (std::size_t i = 0; i < before.memory().size() && !pointed_to; ++i) {
    pointed_to = any_pointer({before.content(i), before.memory()[i].bytes}, inherited);
  }
  if (pointed_to) taken.inherited.clear();
}

void require_kept(const ObservedIteration& iteration, const std::vector<MemoryFacts>& kept) {
  const MemoryMap known(kept);
  for (const std::uint64_t address : addresses_in(iteration)) {
    if (!unknown_at(address, known)) continue;
    throw NotPossible(
        "a kernel's argument points to memory that no argument pointed to before this iteration, "
        "and that was not saved");
  }
}

std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const std::vector<MemoryFacts>& variables,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes) {
  const std::vector<std::uint64_t> addresses = addresses_in(iteration);
  const bool hands_over = !inherited_frees(iteration).empty();
  std::vector<MemoryFacts> kept = variables;
  for (const MemoryFacts& memory : live) {
    if (!is_kept(memory, addresses)) continue;
    if (!is_still_there(memory)) {
      if (hands_over) continue;
      throw NotPossible("memory was freed while only the ends of iterations were observed");
    }
    kept.push_back(memory);
  }
  MemoryMap known(kept);
  for (const std::uint64_t address : addresses) {
    const auto block = unknown_at(address, known);
    if (!block) continue;
    known.allocated(block->kind, block->base, block->bytes);
    kept.push_back(*block);
  }
  kept = without_overlaps(std::move(kept));
  const std::uint64_t bytes = bytes_of(kept);
  if (bytes <= most_bytes) return kept;
  throw NotPossible(fmt::format("its memory is {}, and a snapshot may be {}; see --snapshot",
                                format_bytes(bytes), format_bytes(most_bytes)));
}

CUmemoryPool pool_behind(CUmemoryPool pool) {
  if (pool != nullptr) return pool;
  CUdevice device = 0;
  TRILANE_DRIVER(cuCtxGetDevice, &device);
  TRILANE_DRIVER(cuDeviceGetMemPool, &pool, device);
  return pool;
}

bool keeps_its_memory(CUmemoryPool pool) {
  return attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == UINT64_MAX;
}

OwnPool make_keeping_pool(CUmemoryPool pool) {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  TRILANE_DRIVER(cuCtxGetDevice, &properties.location.id);
  CUmemoryPool handle = nullptr;
  TRILANE_DRIVER(cuMemPoolCreate, &handle, &properties);
  OwnPool own(handle);
  cuuint64_t everything = UINT64_MAX;
  TRILANE_DRIVER(cuMemPoolSetAttribute, handle, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &everything);
  if (pool == nullptr) return own;
  for (const CUmemPool_attribute reuse :
       {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
    int set = attribute_of<int>(pool, reuse);
    TRILANE_DRIVER(cuMemPoolSetAttribute, handle, reuse, &set);
  }
  return own;
}

ApplicationPools::ApplicationPools(const ObservedIteration& iteration) {
  for (const ObservedCall& call : iteration.calls) {
    if (call.kind != CallKind::allocate_async) continue;
    const CUmemoryPool pool = pool_behind(reinterpret_cast<CUmemoryPool>(call.pool));
    reserved_[pool] = attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  }
}

void ApplicationPools::give_back() const {
  for (const auto& [pool, bytes] : reserved_) {
    if (attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) > bytes) {
      TRILANE_DRIVER(cuMemPoolTrimTo, pool, bytes);
    }
  }
}

}  // namespace trilane
