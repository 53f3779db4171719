// Finds operations that the legacy stream's rule delays.
#pragma once

#include "common/application/diagnosis/findings/finding_groups.hpp"
#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"

namespace trilane {

/// Adds operations that only the legacy stream's rule orders behind operations in other streams.
/// Their time is the delay by these, beyond that by operations whose data they use. Needs device
/// times. `order` covers two repetitions.
void add_legacy_delays(const ApplicationRecording& recording, const IterationSchedule& schedule,
                       const HappensBefore& order, FindingGroups& groups);

}  // namespace trilane
