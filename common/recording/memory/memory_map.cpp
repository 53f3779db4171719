#include "common/recording/memory/memory_map.hpp"

#include <algorithm>
#include <iterator>

namespace trilane {

const MemoryBlock& MemoryMap::allocated(MemoryKind kind, std::uint64_t base, std::uint64_t bytes) {
  // An extent of 0 still takes its address.
  const std::uint64_t end = base + std::max<std::uint64_t>(bytes, 1);
  auto at = blocks_.lower_bound(base);
  if (at != blocks_.begin()) {
    const MemoryBlock& before = std::prev(at)->second;
    if (before.base + before.bytes > base) --at;
  }
  while (at != blocks_.end() && at->first < end) at = blocks_.erase(at);
  return blocks_.emplace_hint(at, base, MemoryBlock{kind, base, bytes, ++numbered_})->second;
}

std::optional<MemoryBlock> MemoryMap::freed(std::uint64_t base) {
  const auto at = blocks_.find(base);
  if (at == blocks_.end()) return std::nullopt;
  const MemoryBlock block = at->second;
  blocks_.erase(at);
  return block;
}

const MemoryBlock* MemoryMap::find(std::uint64_t address) const {
  auto at = blocks_.upper_bound(address);
  if (at == blocks_.begin()) return nullptr;
  const MemoryBlock& block = (--at)->second;
  return address - block.base < block.bytes ? &block : nullptr;
}

std::vector<MemoryFacts> MemoryMap::all() const {
  std::vector<MemoryFacts> facts;
  for (const auto& [base, block] : blocks_) facts.push_back({block.kind, base, block.bytes});
  return facts;
}

MemoryKind allocated_kind(CallKind kind) {
  switch (kind) {
    case CallKind::allocate:
    case CallKind::free: return MemoryKind::device;
    case CallKind::allocate_async:
    case CallKind::free_async: return MemoryKind::pool;
    case CallKind::allocate_host:
    case CallKind::free_host: return MemoryKind::pinned;
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::other: return MemoryKind::unknown;
  }
  return MemoryKind::unknown;
}

bool allocates(CallKind kind) {
  return kind == CallKind::allocate || kind == CallKind::allocate_async ||
         kind == CallKind::allocate_host;
}

bool frees(CallKind kind) {
  return kind == CallKind::free || kind == CallKind::free_async || kind == CallKind::free_host;
}

}  // namespace trilane
