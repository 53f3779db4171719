// Which changes to a recorded iteration say something about it.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/simulated_times.hpp"

namespace trilane {

/// Why that way says nothing about a recording that why_not_simulated() lets pass; empty if it
/// does.
std::string why_not_this_way(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
