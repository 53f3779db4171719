// Which of the application's memory a replay must keep and bring back.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/replay/memory/snapshot.hpp"

namespace trilane {

/// Whether one of a kernel's arguments is an address in that memory.
bool points_into(const ObservedLaunch& launch, const MemoryFacts& memory);

/// Whether the driver still knows that memory, which may have been released unseen.
bool is_still_there(const MemoryFacts& memory);

/// Whether the driver says that the address lies on the device.
bool lies_on_device(std::uint64_t address);

/// Throws NotPossible if an argument of a kernel points into device or pinned memory that neither
/// is in `kept` nor was allocated in the iteration: a replay would change it for good.
void require_kept(const ObservedIteration& iteration, const std::vector<MemoryFacts>& kept);

/// Throws NotPossible if the iteration copies more than `most_bytes` from and to the host: each
/// candidate has buffers of its own for that.
void require_small_copies(const ApplicationRecording& recording, std::uint64_t most_bytes);

/// All device memory that is allocated, because kernels may follow pointers that lie in memory, the
/// other memory that arguments of its kernels point into, and `variables`, each byte once and in
/// the order of addresses. Throws NotPossible if that is more than `most_bytes`, or no longer what
/// the driver says it is.
std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const std::vector<MemoryFacts>& variables,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes);

}  // namespace trilane
