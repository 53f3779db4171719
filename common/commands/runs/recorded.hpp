// Recordings of applications, as commands read them.
#pragma once

#include <string>

#include "common/recording/recording.hpp"

namespace trilane {

/// Reads a file that trilane record --save wrote. Throws UsageError, "label 'path': why".
Recording load_recording(const std::string& label, const std::string& path);

}  // namespace trilane
