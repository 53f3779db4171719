// Operations that start late by the legacy stream's rule.
#pragma once

#include "common/application/diagnosis/findings/finding_groups.hpp"
#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"

namespace trilane {

/// Adds the operations that only the legacy stream's rule orders behind operations in other
/// streams, by the time for which these, and nothing whose data they use, held them up. Needs
/// device times. `order` is of two repetitions.
void add_legacy_delays(const ApplicationRecording& recording, const IterationSchedule& schedule,
                       const HappensBefore& order, FindingGroups& groups);

}  // namespace trilane
