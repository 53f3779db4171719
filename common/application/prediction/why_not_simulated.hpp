// What the simulated device cannot say about a recording.
#pragma once

#include <string>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Whether the simulated device orders the calls within seconds: each knows how far each stream has
/// come.
bool is_ordered_soon(const ApplicationRecording& recording);

/// Why no time of the iteration can be predicted, naming the call; empty if it can.
std::string why_not_simulated(const ApplicationRecording& recording);

/// What such predictions leave out or assume, a sentence each.
std::vector<std::string> assumptions(const ApplicationRecording& recording);

}  // namespace trilane
