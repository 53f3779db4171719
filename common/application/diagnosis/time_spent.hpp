// Tells how the host and the device spend an iteration, why the device is idle, and what its time
// depends on.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Returns the host's time in an iteration by use.
std::vector<TimeShare> host_use(const IterationSchedule& schedule);

/// Returns the device's time by use. Each gap of the device is split by what the next operation
/// waited for:
/// - until its call began, for what the host did;
/// - then for its call;
/// - then for its predecessors, or for its launch.
/// Needs device times.
DeviceUse device_use(const IterationSchedule& schedule);

/// Returns the parts of the critical path, similar parts added up, longest first. Their sum is the
/// period. The path goes back from the iteration's last end, on the host or the device:
/// - from a wait's return to the end of what it waited for;
/// - from an operation's start to the latest of its call, the end of its predecessors and the end
///   of the operation that kept its engine busy;
/// - from the start to the call if the host was late.
std::vector<PathPart> critical_path(const IterationSchedule& schedule);

}  // namespace trilane
