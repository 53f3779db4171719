// How the host and the device spend an iteration, and why the device is idle.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/diagnosis.hpp"

namespace trilane {

/// What the host does in an iteration.
std::vector<TimeShare> host_use(const ApplicationRecording& recording,
                                const IterationSchedule& schedule);

/// Each gap of the device is split by what the operation after it waited for: until its call began,
/// for what the host did; then for its call; then for what it was ordered behind, or for its
/// launch. Needs device times; `order` is of two repetitions.
DeviceUse device_use(const ApplicationRecording& recording, const IterationSchedule& schedule,
                     const HappensBefore& order);

}  // namespace trilane
