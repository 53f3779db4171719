// What a replay found, in words.
#pragma once

#include <string>
#include <vector>

#include "common/application/outcome/replay_record.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// What weakens the answer, as sentences.
std::vector<std::string> reservations_on(const ReplayRecord& record);

/// The answer first: the best change and what it gains, with its interval; then a row for each
/// candidate, and what bounds or weakens the answer. `record.comparison` needs derive().
Page replay_page(const ReplayRecord& record);

}  // namespace trilane
