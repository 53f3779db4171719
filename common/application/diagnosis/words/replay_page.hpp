// What a replay found, in words.
#pragma once

#include <string>
#include <vector>

#include "common/application/iteration/records/capture_obstacle.hpp"
#include "common/application/iteration/records/replay_record.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// What weakens the answer, as sentences.
std::vector<std::string> reservations_on(const ReplayRecord& record);

/// The answer first: the best change and what it gains, with its interval; then a row for each
/// candidate, and what bounds or weakens the answer, with what a capture would break on.
/// `record.comparison` needs derive().
Page replay_page(const ReplayRecord& record, const std::vector<CaptureObstacle>& obstacles = {});

}  // namespace trilane
