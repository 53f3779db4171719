// Finds calls that cost time or do nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/finding.hpp"

namespace trilane {

/// Returns the findings that could gain at least `least_gain_share` of the iteration; see
/// FindingGroups::ranked(). `order` covers two repetitions.
std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
