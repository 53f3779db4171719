#include "common/application/replay/snapshot.hpp"

#include "common/base/text/exit_code.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trilane {

namespace {

constexpr std::uint64_t left_free = std::uint64_t{1} << 30;
/// Alignment at which copies reach full speed.
constexpr std::uint64_t aligned = 512;

CUdeviceptr host_address(const std::byte* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

/// Writes the memory's cached content back and evicts it: a copy leaves what it reads or writes in
/// the host's caches. Passes took up to 8% less with their mapped memory cached, which it was not
/// in a program whose host does not touch it (tried.md). Only on x86-64. Called after each use of
/// the memory other than by the iteration's kernels.
void leave_uncached([[maybe_unused]] const MemoryFacts& memory) {
#if defined(__x86_64__)
  if (memory.kind != MemoryKind::pinned) return;
  constexpr std::size_t line = 64;
  const auto* const begin = reinterpret_cast<const std::byte*>(memory.base);
  for (std::size_t at = 0; at < memory.bytes; at += line) _mm_clflush(begin + at);
  if (memory.bytes > 0) _mm_clflush(begin + memory.bytes - 1);
  _mm_mfence();
#endif
}

/// Calls visit(from, to) for each differing block. Most are equal, and memcmp is fast.
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

std::vector<std::uint64_t> Uncertain::bytes() const {
  return transformed(blocks_, [](const std::vector<bool>& blocks) {
    return block * static_cast<std::uint64_t>(std::ranges::count(blocks, true));
  });
}

Snapshot::Snapshot(const std::vector<MemoryFacts>& memory)
    : memory_(memory), content_(bytes_of(memory)) {
  std::size_t start = 0;
  for (const MemoryFacts& facts : memory_) {
    starts_.push_back(start);
    TRILANE_DRIVER(cuMemcpy, host_address(content_.data() + start), facts.base, facts.bytes);
    leave_uncached(facts);
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

/// Does not call the driver, which may be in the middle of a call.
void Snapshot::take_host_again(std::size_t memory) {
  const MemoryFacts& facts = memory_[memory];
  std::memcpy(content_.data() + starts_[memory], reinterpret_cast<const void*>(facts.base),
              facts.bytes);
  leave_uncached(facts);
}

std::vector<std::byte> Snapshot::take_out(std::size_t memory) {
  std::vector<std::byte> taken(content(memory), content(memory) + memory_[memory].bytes);
  const auto at = static_cast<std::ptrdiff_t>(memory);
  memory_.erase(memory_.begin() + at);
  starts_.erase(starts_.begin() + at);
  return taken;
}

void Snapshot::restore() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    TRILANE_DRIVER(cuMemcpy, memory_[i].base, host_address(content(i)), memory_[i].bytes);
  }
  TRILANE_DRIVER(cuCtxSynchronize);
  std::ranges::for_each(memory_, leave_uncached);
}

Restorer::Restorer(const Snapshot& snapshot, CUstream stream)
    : snapshot_(snapshot), stream_(stream) {
  std::size_t free = 0, total = 0;
  TRILANE_DRIVER(cuMemGetInfo, &free, &total);
  std::vector<std::uint64_t> starts;
  std::uint64_t bytes = 0;
  for (const MemoryFacts& facts : snapshot.memory()) {
    starts.push_back(bytes);
    bytes += (facts.bytes + aligned - 1) / aligned * aligned;
  }
  if (bytes == 0 || bytes + left_free > free) return;
  try {
    memory_ = OwnMemory(bytes);
  } catch (const OutOfMemory&) {
    return;
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    kept_.push_back(memory_.address() + starts[i]);
    TRILANE_DRIVER(cuMemcpy, kept_[i], host_address(snapshot.content(i)),
                   snapshot.memory()[i].bytes);
  }
}

void Restorer::restore() const {
  if (kept_.empty()) return snapshot_.restore();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const MemoryFacts& facts = snapshot_.memory()[i];
    TRILANE_DRIVER(cuMemcpyAsync, facts.base, kept_[i], facts.bytes, stream_);
  }
  TRILANE_DRIVER(cuStreamSynchronize, stream_);
  std::ranges::for_each(snapshot_.memory(), leave_uncached);
}

}  // namespace trilane
