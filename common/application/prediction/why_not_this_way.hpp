// Decides which changes to a recorded iteration can be predicted.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/simulated_times.hpp"

namespace trilane {

/// Returns why that way says nothing about a recording accepted by why_not_simulated(); empty if it
/// does.
std::string why_not_this_way(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
