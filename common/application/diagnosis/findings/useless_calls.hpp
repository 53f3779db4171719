// Calls that do nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/findings/finding_groups.hpp"
#include "common/application/diagnosis/order/happens_before.hpp"

namespace trilane {

/// Adds waits that order nothing, events that nothing waits for, copies and memsets of no bytes,
/// and memsets of what a copy then overwrites.
/// `may_order`: see may_order().
void add_useless_calls(const ApplicationRecording& recording, const HappensBefore& order,
                       const std::vector<bool>& may_order, FindingGroups& groups);

}  // namespace trilane
