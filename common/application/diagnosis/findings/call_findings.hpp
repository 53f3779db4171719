// What a recording shows that costs time, or does nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/idle/iteration_schedule.hpp"
#include "common/application/diagnosis/order/happens_before.hpp"
#include "common/application/diagnosis/records/finding.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// Returns what could gain a hundredth of the iteration or more, see FindingGroups::ranked().
/// `order` is of two repetitions.
std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
