// Merges the replays of several processes of an application.
#pragma once

#include <vector>

#include "common/application/iteration/records/replay_record.hpp"

namespace trilane {

/// Returns one record with all samples, so that the intervals cover differences between processes,
/// and medians of the other times. Each record needs a comparison. Throws std::invalid_argument
/// without records, and if they are of different iterations.
ReplayRecord merged_replay(const std::vector<ReplayRecord>& records);

}  // namespace trilane
