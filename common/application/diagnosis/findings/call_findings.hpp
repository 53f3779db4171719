// What a recording shows that costs time, or does nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/finding.hpp"

namespace trilane {

/// Returns what could gain a hundredth of the iteration or more, see FindingGroups::ranked().
/// `order` is of two repetitions.
std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
