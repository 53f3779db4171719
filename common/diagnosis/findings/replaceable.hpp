// What a graph would replace, and what would have to be updated in it.
#pragma once

#include <optional>

#include "common/diagnosis/records/diagnosis.hpp"
#include "common/recording/recording.hpp"

namespace trilane {

GraphBound graph_bound(const Recording& recording, const std::optional<DeviceUse>& device);

/// Sets Diagnosis::varying and Diagnosis::constant.
void add_varying(const Recording& recording, Diagnosis& diagnosis);

}  // namespace trilane
