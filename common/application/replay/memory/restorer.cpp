#include "common/application/replay/memory/restorer.hpp"

#include <utility>

#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

/// Device memory that a snapshot leaves to the application.
constexpr std::uint64_t left_free = std::uint64_t{1} << 30;
/// Where copies are as fast as they can be.
constexpr std::uint64_t aligned = 512;

}  // namespace

Restorer::Restorer(const Snapshot& snapshot, CUstream stream)
    : snapshot_(snapshot), stream_(stream) {
  std::size_t free = 0, total = 0;
  TRILANE_DRIVER(cuMemGetInfo, &free, &total);
  std::vector<Kept> kept;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < snapshot.memory().size(); ++i) {
    if (snapshot.is_the_hosts(i)) {
      on_host_.push_back(i);
      continue;
    }
    kept.push_back({i, bytes});
    bytes += (snapshot.memory()[i].bytes + aligned - 1) / aligned * aligned;
  }
  if (bytes == 0 || bytes + left_free > free) return;
  try {
    memory_ = OwnMemory(bytes);
  } catch (const OutOfMemory&) {
    return;
  }
  for (Kept& one : kept) {
    one.address += memory_.address();
    TRILANE_DRIVER(cuMemcpy, one.address,
                   reinterpret_cast<CUdeviceptr>(snapshot.content(one.memory)),
                   snapshot.memory()[one.memory].bytes);
  }
  kept_ = std::move(kept);
}

void Restorer::restore() const {
  if (kept_.empty()) return snapshot_.restore();
  for (const Kept& one : kept_) {
    const MemoryFacts& facts = snapshot_.memory()[one.memory];
    TRILANE_DRIVER(cuMemcpyAsync, facts.base, one.address, facts.bytes, stream_);
  }
  for (const std::size_t memory : on_host_) snapshot_.restore(memory);
  TRILANE_DRIVER(cuStreamSynchronize, stream_);
}

}  // namespace trilane
