// What the bytes of a replay are compared with, and which of them differ from run to run.
#pragma once

#include <vector>

#include "common/application/iteration/records/replay_record.hpp"
#include "common/application/replay/replay_bench.hpp"

namespace trilane {

/// The start, the end, and what of the end is uncertain, by running the same calls several times.
/// `before` is the start; memory holds the end, and something else when this returns. Throws
/// NotPossible if the same calls leave other bytes than the application did.
Expected expected_of(const TakenIteration& taken, Snapshot before);

/// The memory with uncertain bytes.
std::vector<UncertainMemory> named_uncertain(const Expected& expected);

/// How much of what the iteration changes is uncertain, from 0 to 1.
double uncertain_share(const Expected& expected);

}  // namespace trilane
