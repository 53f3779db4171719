// Determines the bytes that a replay is compared with, and which of them differ between runs.
#pragma once

#include <vector>

#include "common/application/iteration/records/replay_record.hpp"
#include "common/application/replay/replay_bench.hpp"

namespace trilane {

/// Returns the start, the end, and the uncertain bytes at the end, by running the same calls
/// several times. `before` is the start. Memory must hold the end, and holds something else
/// afterwards. Throws NotPossible if the same calls leave other bytes than the application did.
Expected expected_of(const TakenIteration& taken, Snapshot before);

/// Returns the memory with uncertain bytes.
std::vector<UncertainMemory> named_uncertain(const Expected& expected);

/// Returns the uncertain share of what the iteration changes, from 0 to 1.
double uncertain_share(const Expected& expected);

}  // namespace trilane
