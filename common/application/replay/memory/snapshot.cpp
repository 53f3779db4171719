#include "common/application/replay/memory/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace trilane {

namespace {

/// Calls visit(from, to) for each block in which the two differ. Most are equal, and memcmp is
/// fast.
template <typename Visit>
void each_unequal_block(const std::byte* one, const std::byte* other, std::uint64_t bytes,
                        Visit visit) {
  for (std::uint64_t from = 0; from < bytes; from += Uncertain::block) {
    const std::uint64_t to = std::min(bytes, from + Uncertain::block);
    if (std::memcmp(one + from, other + from, to - from) != 0) visit(from, to);
  }
}

}  // namespace

std::uint64_t bytes_of(const std::vector<MemoryFacts>& memory) {
  return std::accumulate(
      memory.begin(), memory.end(), std::uint64_t{0},
      [](std::uint64_t sum, const MemoryFacts& facts) { return sum + facts.bytes; });
}

void Uncertain::add(const Snapshot& one, const Snapshot& other) {
  const std::vector<MemoryFacts>& memory = one.memory();
  blocks_.resize(memory.size());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    blocks_[i].resize((memory[i].bytes + block - 1) / block);
    each_unequal_block(one.content(i), other.content(i), memory[i].bytes,
                       [&](std::uint64_t from, std::uint64_t) { blocks_[i][from / block] = true; });
  }
}

bool Uncertain::at(std::size_t memory, std::uint64_t offset) const {
  return memory < blocks_.size() && blocks_[memory][offset / block];
}

std::vector<std::uint64_t> Uncertain::bytes() const {
  std::vector<std::uint64_t> all;
  for (const std::vector<bool>& blocks : blocks_) {
    all.push_back(block * static_cast<std::uint64_t>(std::ranges::count(blocks, true)));
  }
  return all;
}

Snapshot::Snapshot(const std::vector<MemoryFacts>& memory)
    : memory_(memory), content_(bytes_of(memory)) {
  std::size_t start = 0;
  for (const MemoryFacts& facts : memory_) {
    starts_.push_back(start);
    TRILANE_DRIVER(cuMemcpy, reinterpret_cast<CUdeviceptr>(content_.data() + start), facts.base,
                   facts.bytes);
    start += facts.bytes;
  }
}

std::vector<MemoryDifference> Snapshot::differences(const Snapshot& other,
                                                    const Uncertain& uncertain) const {
  std::vector<MemoryDifference> all;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    MemoryDifference difference{i, 0, 0};
    const std::byte *const mine = content(i), *const others = other.content(i);
    each_unequal_block(mine, others, memory_[i].bytes, [&](std::uint64_t from, std::uint64_t to) {
      if (uncertain.at(i, from)) return;
      for (std::uint64_t at = from; at < to; ++at) {
        if (mine[at] != others[at] && difference.bytes++ == 0) difference.offset = at;
      }
    });
    if (difference.bytes > 0) all.push_back(difference);
  }
  return all;
}

/// Without the driver, which may be in the middle of a call.
void Snapshot::take_host_again(std::size_t memory) {
  const MemoryFacts& facts = memory_[memory];
  std::memcpy(content_.data() + starts_[memory], reinterpret_cast<const void*>(facts.base),
              facts.bytes);
}

bool Snapshot::is_the_hosts(std::size_t memory) const {
  const MemoryFacts& facts = memory_[memory];
  if (facts.kind != MemoryKind::pinned) return false;
  unsigned flags = 0;
  // Memory that the program has registered has none.
  const CUresult known = driver().cuMemHostGetFlags(&flags, reinterpret_cast<void*>(facts.base));
  return known != CUDA_SUCCESS || (flags & CU_MEMHOSTALLOC_WRITECOMBINED) == 0;
}

void Snapshot::restore() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) restore(i);
  TRILANE_DRIVER(cuCtxSynchronize);
}

void Snapshot::restore(std::size_t memory) const {
  const MemoryFacts& facts = memory_[memory];
  const std::byte* const from = content(memory);
  if (!is_the_hosts(memory)) {
    return TRILANE_DRIVER(cuMemcpy, facts.base, reinterpret_cast<CUdeviceptr>(from), facts.bytes);
  }
  auto* const to = reinterpret_cast<std::byte*>(facts.base);
  each_unequal_block(from, to, facts.bytes, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

}  // namespace trilane
