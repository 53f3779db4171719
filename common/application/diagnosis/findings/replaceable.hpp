// Finds what a graph would replace, and what would have to be updated in it.
#pragma once

#include <optional>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/diagnosis.hpp"

namespace trilane {

GraphBound graph_bound(const ApplicationRecording& recording,
                       const std::optional<DeviceUse>& device);

/// Sets Diagnosis::varying and Diagnosis::constant.
void add_varying(const ApplicationRecording& recording, Diagnosis& diagnosis);

}  // namespace trilane
