// Tells how the host and the device spend an iteration, and why the device is idle.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/records/diagnosis.hpp"

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

}  // namespace trilane
