#include "common/application/finding/calls/memory_uses.hpp"

#include <algorithm>

#include "common/application/iteration/observed_batch.hpp"

namespace trilane {
namespace {

std::uint64_t extent(const ObservedCall& call, std::uint64_t pitch) {
  if (call.height <= 1) return call.bytes;
  const std::uint64_t row = call.bytes / call.height;
  return (call.height - 1) * std::max(pitch, row) + row;
}

}  // namespace

std::vector<UsedRange> MemoryUses::of(const ObservedCall& call, const MemoryBlock& freed) {
  if (call.kind == CallKind::copy) {
    std::vector<UsedRange> uses;
    for (const ObservedCall& copy : copies_of(call)) {
      uses.push_back(range(copy.source, extent(copy, copy.source_pitch), Use::reads));
      uses.push_back(range(copy.destination, extent(copy, copy.destination_pitch), Use::writes));
    }
    return uses;
  }
  if (call.kind == CallKind::memset) {
    return {range(call.destination, extent(call, call.destination_pitch), Use::writes)};
  }
  if (allocates(call.kind)) {
    made_.insert(call.destination);
    return {whole(known_.block_of(call.destination))};
  }
  if (!frees(call.kind) || freed.bytes == 0) return {};
  const UsedRange used = whole(freed);
  if (made_.erase(freed.base) > 0) memory_[used.memory].within = true;
  return {used};
}

UsedRange MemoryUses::from(std::uint64_t address) {
  const MemoryBlock block = known_.block_of(address);
  const std::uint64_t offset = address - block.base;
  return {number_of(block), offset, block.bytes - offset, Use::may_use};
}

UsedRange MemoryUses::whole(const MemoryBlock& block) {
  return {number_of(block), 0, block.bytes, Use::may_use};
}

UsedRange MemoryUses::range(std::uint64_t address, std::uint64_t bytes, Use use) {
  MemoryBlock block = known_.block_of(address);
  if (block.bytes == 0) {
    const auto [known, added] =
        by_address_.emplace(address, static_cast<std::uint32_t>(memory_.size()));
    if (added) memory_.push_back({.kind = block.kind});
    return {known->second, 0, bytes, use};
  }
  const std::uint64_t offset = address - block.base;
  // A range may extend into the next allocation if both were mapped side by side.
  return {number_of(block), offset, std::min(bytes, block.bytes - offset), use};
}

std::uint32_t MemoryUses::number_of(const MemoryBlock& block) {
  const auto [known, added] =
      by_block_.emplace(block.number, static_cast<std::uint32_t>(memory_.size()));
  if (added) memory_.push_back({.kind = block.kind, .bytes = block.bytes});
  return known->second;
}

}  // namespace trilane
