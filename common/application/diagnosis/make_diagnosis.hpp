// From a recording to what it says about the application.
#pragma once

#include <string>

#include "common/application/iteration/records/diagnosis.hpp"
#include "common/base/json/document.hpp"

namespace trilane {

inline constexpr Schema diagnosis_schema{"trilane diagnosis", 1, 1};

/// Needs no device. A recording without calls gives a diagnosis without times. The recording's
/// indices are within their lists, as its file's reader ensures.
Diagnosis diagnosis_of(const ApplicationRecording& recording);

/// The diagnosis as a file.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace trilane
