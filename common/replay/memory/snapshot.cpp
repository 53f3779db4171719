#include "common/replay/memory/snapshot.hpp"

#include <algorithm>
#include <numeric>

#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

/// Device memory that a snapshot leaves to the application.
constexpr std::uint64_t left_free = std::uint64_t{1} << 30;

CUdeviceptr host_address(const std::byte* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

/// Adds the bytes in which the two differ and in which `other` does not differ from `wanted`.
MemoryDifference compared(const std::byte* got, const std::byte* wanted, const std::byte* other,
                          std::size_t memory, std::uint64_t bytes) {
  MemoryDifference difference{.memory = memory};
  constexpr std::uint64_t step = 4096;  // most steps are equal, and memcmp is fast
  for (std::uint64_t from = 0; from < bytes; from += step) {
    const std::uint64_t to = std::min(bytes, from + step);
    if (std::equal(got + from, got + to, wanted + from)) continue;
    for (std::uint64_t i = from; i < to; ++i) {
      if (got[i] == wanted[i] || (other != nullptr && other[i] != wanted[i])) continue;
      if (difference.bytes++ == 0) difference.offset = i;
    }
  }
  return difference;
}

}  // namespace

std::uint64_t bytes_of(const std::vector<MemoryFacts>& memory) {
  return std::accumulate(
      memory.begin(), memory.end(), std::uint64_t{0},
      [](std::uint64_t sum, const MemoryFacts& facts) { return sum + facts.bytes; });
}

Snapshot::Snapshot(const std::vector<MemoryFacts>& memory)
    : memory_(memory), content_(bytes_of(memory)) {
  std::size_t start = 0;
  for (const MemoryFacts& facts : memory_) {
    starts_.push_back(start);
    TRILANE_DRIVER(cuMemcpy, host_address(content_.data() + start), facts.base, facts.bytes);
    start += facts.bytes;
  }
}

std::vector<MemoryDifference> Snapshot::differences(const Snapshot* except) const {
  std::vector<MemoryDifference> all;
  std::vector<std::byte> now;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    now.resize(memory_[i].bytes);
    TRILANE_DRIVER(cuMemcpy, host_address(now.data()), memory_[i].base, memory_[i].bytes);
    const std::byte* const other = except == nullptr ? nullptr : except->content(i);
    const MemoryDifference found = compared(now.data(), content(i), other, i, memory_[i].bytes);
    if (found.bytes > 0) all.push_back(found);
  }
  return all;
}

std::vector<MemoryDifference> Snapshot::differences_from(const Snapshot& other) const {
  std::vector<MemoryDifference> all;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const MemoryDifference found =
        compared(other.content(i), content(i), nullptr, i, memory_[i].bytes);
    if (found.bytes > 0) all.push_back(found);
  }
  return all;
}

void Snapshot::restore() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    TRILANE_DRIVER(cuMemcpy, memory_[i].base, host_address(content(i)), memory_[i].bytes);
  }
  TRILANE_DRIVER(cuCtxSynchronize);
}

Restorer::Restorer(const Snapshot& snapshot) : snapshot_(snapshot), stream_(make_own_stream()) {
  std::size_t free = 0, total = 0;
  TRILANE_DRIVER(cuMemGetInfo, &free, &total);
  if (bytes_of(snapshot.memory()) + left_free > free) return;
  try {
    for (const MemoryFacts& facts : snapshot.memory()) {
      kept_.emplace_back(facts.bytes);
    }
  } catch (const OutOfMemory&) {
    kept_.clear();
    return;
  }
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    TRILANE_DRIVER(cuMemcpy, kept_[i].address(), host_address(snapshot.content(i)),
                   snapshot.memory()[i].bytes);
  }
}

void Restorer::restore() const {
  if (kept_.empty()) return snapshot_.restore();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const MemoryFacts& facts = snapshot_.memory()[i];
    TRILANE_DRIVER(cuMemcpyAsync, facts.base, kept_[i].address(), facts.bytes, stream_.get());
  }
  TRILANE_DRIVER(cuStreamSynchronize, stream_.get());
}

}  // namespace trilane
