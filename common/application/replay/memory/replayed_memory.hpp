// Which of the application's memory a replay must keep and bring back.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/recording/core/application_recorder.hpp"
#include "common/application/replay/memory/snapshot.hpp"

namespace trilane {

/// All device memory that is allocated, because kernels may follow pointers that lie in memory, and
/// the pinned memory that arguments of kernels point into. Throws NotPossible if that is more than
/// `most_bytes`, or no longer what the driver says it is.
std::vector<MemoryFacts> replayed_memory(const std::vector<MemoryFacts>& live,
                                         const ObservedIteration& iteration,
                                         std::uint64_t most_bytes);

}  // namespace trilane
