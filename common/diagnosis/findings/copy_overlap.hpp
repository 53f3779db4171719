// Copies beside which no kernel runs.
#pragma once

#include "common/diagnosis/findings/finding_groups.hpp"
#include "common/diagnosis/idle/iteration_schedule.hpp"
#include "common/diagnosis/order/happens_before.hpp"

namespace trilane {

/// Adds the copies between host and device that run, but for a tenth of their time, while no kernel
/// does, with what keeps them from it.
void add_copies_without_overlap(const Recording& recording, const IterationSchedule& schedule,
                                const HappensBefore& order, FindingGroups& groups);

}  // namespace trilane
