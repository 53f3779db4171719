#include "common/application/iteration/memory_map.hpp"

namespace trilane {

namespace {

constexpr int page_bits = 12;
/// Limit of the pages whose kind is kept after asking the surroundings. Without it, programs that
/// copy from ever new host memory would add pages without end.
constexpr std::size_t most_pages = 1 << 16;

}  // namespace

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
  const auto block = blocks_.extract(base);
  return block ? std::optional(block.mapped()) : std::nullopt;
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

MemoryBlock KnownMemory::note(const ObservedCall& call) {
  if (allocates(call.kind)) {
    map_.allocated(allocated_kind(call.kind), call.destination, call.bytes);
  } else if (frees(call.kind)) {
    return map_.freed(call.destination).value_or(MemoryBlock{});
  }
  return {};
}

void KnownMemory::undo(const ObservedCall& call, const MemoryBlock& freed) {
  if (allocates(call.kind)) {
    map_.freed(call.destination);
  } else if (freed.bytes > 0) {
    map_.allocated(freed.kind, freed.base, freed.bytes);
  }
}

MemoryBlock KnownMemory::block_of(std::uint64_t address) {
  if (const MemoryBlock* const block = map_.find(address)) return *block;
  if (address == 0) return {};
  const std::uint64_t page = address >> page_bits;
  if (const auto known = pages_.find(page); known != pages_.end()) return {.kind = known->second};
  const MemoryFacts facts = surroundings_.memory(address);
  const bool holds = facts.bytes > 0 && address - facts.base < facts.bytes;
  if (holds && facts.kind != MemoryKind::pageable) {
    return map_.allocated(facts.kind, facts.base, facts.bytes);
  }
  if (pages_.size() >= most_pages) pages_.clear();
  pages_[page] = facts.kind;
  return {.kind = facts.kind};
}

bool KnownMemory::is_live(std::uint64_t address) {
  // The first 64 KiB are never mapped, and addresses have at most 57 bits: most numbers fail here.
  if (address < 0x10000 || address >> 57 != 0) return false;
  const MemoryBlock block = block_of(address);
  return block.bytes > 0 && block.kind != MemoryKind::pageable;
}

}  // namespace trilane
