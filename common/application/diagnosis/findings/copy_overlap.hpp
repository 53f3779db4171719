// Finds copies that no kernel overlaps.
#pragma once

#include "common/application/diagnosis/findings/finding_groups.hpp"
#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"

namespace trilane {

/// Adds the copies between host and device that kernels overlap for at most a tenth of their time,
/// and what prevents the overlap.
void add_copies_without_overlap(const ApplicationRecording& recording,
                                const IterationSchedule& schedule, const HappensBefore& order,
                                FindingGroups& groups);

}  // namespace trilane
