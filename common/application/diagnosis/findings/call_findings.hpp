// What a recording shows that costs time, or does nothing.
#pragma once

#include <vector>

#include "common/application/diagnosis/idle/iteration_schedule.hpp"
#include "common/application/diagnosis/order/happens_before.hpp"
#include "common/application/diagnosis/records/finding.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// All findings, those that take the longest first. `order` is of two repetitions.
std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
