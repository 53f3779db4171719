// What a replay found, in words.
#pragma once

#include "common/application/outcome/replay_record.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// The answer first: the best change and what it gains, with its interval; then a row for each
/// candidate, and what bounds or weakens the answer. `record.comparison` needs derive().
Page replay_page(const ReplayRecord& record);

}  // namespace trilane
