// Splits an iteration's time along its critical path.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

/// Returns the parts of the critical path, similar parts added up, longest first. Their sum is the
/// period. The path goes back from the iteration's last end, on the host or the device:
/// - from a wait's return to the end of what it waited for;
/// - from an operation's start to the latest of its call, the end of its predecessors and the end
///   of the operation that kept its engine busy;
/// - from the start to the call if the host was late.
std::vector<PathPart> critical_path(const IterationSchedule& schedule);

}  // namespace trilane
