// Makes a diagnosis of a recording.
#pragma once

#include <optional>
#include <string>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"
#include "common/base/json/document.hpp"

namespace trilane {

inline constexpr Schema diagnosis_schema{"trilane diagnosis", 1, 1};

/// Needs no device. For a recording without calls, returns a diagnosis without times. The
/// recording's indices must be within their lists, as its file's reader ensures.
Diagnosis diagnosis_of(const ApplicationRecording& recording);

/// Returns how many calls a graph would replace, and how long the device is idle while it waits for
/// such calls.
GraphBound graph_bound(const ApplicationRecording& recording,
                       const std::optional<DeviceUse>& device);

/// Returns the diagnosis as a file's text.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace trilane
