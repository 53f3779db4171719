#include "common/application/iteration/memory_map.hpp"

#include <algorithm>
#include <iterator>

namespace trilane {

MemoryMap::MemoryMap(const std::vector<MemoryFacts>& memory) {
  for (const auto& [kind, base, bytes] : memory) allocated(kind, base, bytes);
}

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

}  // namespace trilane
