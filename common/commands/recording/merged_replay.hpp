// The replays of several processes of an application as one.
#pragma once

#include <vector>

#include "common/application/iteration/records/replay_record.hpp"

namespace trilane {

/// All samples, so that the intervals cover what the processes differ by; medians of the other
/// times. Each record has a comparison. Throws std::invalid_argument without records, and where
/// they are of different iterations.
ReplayRecord merged_replay(const std::vector<ReplayRecord>& records);

}  // namespace trilane
