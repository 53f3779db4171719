// Which changes to a recorded iteration say something about it.
#pragma once

#include <string>

#include "common/application/diagnosis/records/simulated_times.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// Why that way says nothing about a recording that why_not_simulated() lets pass; empty if it
/// does.
std::string why_not_this_way(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
