// Determines which of the application's memory a replay must keep and restore.
#pragma once

#include <cuda.h>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/replayed_iteration.hpp"
#include "common/application/replay/snapshot.hpp"

namespace trilane {

/// Returns true if one of a kernel's arguments is an address in that memory.
bool points_into(const ObservedLaunch& launch, const MemoryFacts& memory);

/// Returns true if the driver still knows that memory, which may have been released unseen.
bool is_still_there(const MemoryFacts& memory);

/// Returns true if the driver says that the address lies on the device.
bool lies_on_device(std::uint64_t address);

/// Throws NotPossible if a kernel's argument points into device or pinned memory that is neither in
/// `kept` nor allocated in the iteration: a replay would change it permanently.
void require_kept(const ObservedIteration& iteration, const std::vector<MemoryFacts>& kept);

/// Sets apart what replays do not leave in place: memory that the iteration frees without having
/// allocated it goes to `taken`, out of `before`, and its own allocations were none at its start.
void set_apart(TakenIteration& taken, Snapshot& before);

/// Returns the bytes that a call or a node copies from and to the host, or only in one direction.
std::uint64_t host_bytes(const ApplicationRecording& recording, const auto& operation,
                         std::optional<Use> only = std::nullopt) {
  std::uint64_t bytes = 0;
  if (operation.kind != CallKind::copy) return bytes;
  for (const UsedRange& range : operation.uses) {
    const bool counts =
        on_host(recording.memory[range.memory].kind) && range.use == only.value_or(range.use);
    if (counts) bytes += std::min(range.bytes, operation.bytes);
  }
  return bytes;
}

/// Throws NotPossible if the iteration copies more than `most_bytes` from and to the host: each
/// candidate has its own buffers for that.
void require_small_copies(const ApplicationRecording& recording, std::uint64_t most_bytes);

/// Returns the memory to keep, each byte once and by address: all allocated device memory, since
/// kernels may follow pointers in memory, other memory that kernel arguments point into, and
/// `variables`. Throws NotPossible if that exceeds `most_bytes`, or no longer matches what the
/// driver says. If iterations free memory of earlier ones, what the driver does not know is freed.
std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const std::vector<MemoryFacts>& variables,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes);

/// Returns the pool of that handle; for null, the current one of the current device.
CUmemoryPool pool_behind(CUmemoryPool pool);

/// Returns true if it gives nothing back to the device when the host waits, however much is free.
bool keeps_its_memory(CUmemoryPool pool);

/// Makes a pool on the current device that keeps its memory, and reuses it as `pool` does, if any.
OwnPool make_keeping_pool(CUmemoryPool pool);

/// The pools of an iteration, in their current state.
class ApplicationPools {
 public:
  explicit ApplicationPools(const ObservedIteration& iteration);

  /// Gives back what the pools have taken since and do not use. The device must be idle.
  void give_back() const;

 private:
  std::map<CUmemoryPool, std::uint64_t> reserved_;  ///< bytes of the device's memory, by pool
};

}  // namespace trilane
