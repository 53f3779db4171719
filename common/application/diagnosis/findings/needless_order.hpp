// Finds operations that an order delays which their data do not need.
#pragma once

#include "common/application/diagnosis/findings/call_findings.hpp"
#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/recorded_call.hpp"

namespace trilane {

/// Adds operations that only the legacy stream's rule orders behind operations in other streams.
/// Their time is the delay by these, beyond that by operations whose data they use. Needs device
/// times. `order` covers two repetitions.
void add_legacy_delays(const ApplicationRecording& recording, const IterationSchedule& schedule,
                       const HappensBefore& order, FindingGroups& groups);

/// Adds the copies between host and device that kernels overlap for at most a tenth of their time,
/// and what prevents the overlap.
void add_copies_without_overlap(const ApplicationRecording& recording,
                                const IterationSchedule& schedule, const HappensBefore& order,
                                FindingGroups& groups);

}  // namespace trilane
