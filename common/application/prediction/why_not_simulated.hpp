// What the simulated device cannot say about a recording.
#pragma once

#include <string>
#include <vector>

#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// Why no time of the iteration can be predicted, naming the call; empty if it can.
std::string why_not_simulated(const ApplicationRecording& recording);

/// What such predictions leave out or assume, a sentence each.
std::vector<std::string> assumptions(const ApplicationRecording& recording);

}  // namespace trilane
