// Decides from a recording whether a replay is possible.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns why no replay of the recording is possible, naming the call; empty if one may be.
std::string why_no_replay(const ApplicationRecording& recording);

}  // namespace trilane
