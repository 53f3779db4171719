// What a recording shows that costs time, or does nothing.
#pragma once

#include <vector>

#include "common/diagnosis/idle/iteration_schedule.hpp"
#include "common/diagnosis/order/happens_before.hpp"
#include "common/diagnosis/records/finding.hpp"
#include "common/recording/recording.hpp"

namespace trilane {

/// All findings, those that take the longest first. `order` is of two repetitions.
std::vector<CallFinding> findings_in(const Recording& recording, const IterationSchedule& schedule,
                                     const HappensBefore& order);

}  // namespace trilane
