// Finds calls that do nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/findings/finding_groups.hpp"
#include "common/application/iteration/order/happens_before.hpp"

namespace trilane {

/// Adds waits for nothing, asynchronous copies and memsets of no bytes, and memsets of bytes that a
/// copy then overwrites. Does not add events that nothing waits for: the program may wait for them
/// after the loop, query them or take times from them. `for_nothing`: see waits_for_nothing().
void add_useless_calls(const ApplicationRecording& recording, const HappensBefore& order,
                       const std::vector<bool>& for_nothing, FindingGroups& groups);

}  // namespace trilane
