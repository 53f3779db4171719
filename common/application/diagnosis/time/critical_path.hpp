// What an iteration's time consists of, along the chain of what waited for what.
#pragma once

#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

/// Goes back from the iteration's last end, on the host or the device: from a wait's return to the
/// end of what it waited for; from an operation's start to the latest of its call, the end of what
/// it is ordered behind and the end of what kept its engine busy; where the host was late, from the
/// start to the call. The parts that are alike are added up, the longest first; their sum is the
/// period. `order` is of two repetitions.
std::vector<PathPart> critical_path(const ApplicationRecording& recording,
                                    const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
