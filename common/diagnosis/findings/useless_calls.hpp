// Calls that do nothing.
#pragma once

#include "common/diagnosis/findings/finding_groups.hpp"
#include "common/diagnosis/order/happens_before.hpp"

namespace trilane {

/// Adds waits that order nothing, events that nothing waits for, copies and memsets of no bytes,
/// and memsets of what a copy then overwrites.
void add_useless_calls(const Recording& recording, const HappensBefore& order,
                       FindingGroups& groups);

}  // namespace trilane
