// Decides what the simulated device cannot predict about a recording.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// Returns true if the simulated device orders the calls within seconds: each call tracks the
/// progress of each stream.
bool is_ordered_soon(const ApplicationRecording& recording);

/// Returns why no time of the iteration can be predicted, naming the call; empty if it can.
std::string why_not_simulated(const ApplicationRecording& recording);

/// Returns what such predictions omit or assume, a sentence each.
std::vector<std::string> assumptions(const ApplicationRecording& recording);

}  // namespace trilane
