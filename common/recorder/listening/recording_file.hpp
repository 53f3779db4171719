// Writes the recording from within the application.
#pragma once

#include <string>

#include "common/recording/recording.hpp"

namespace trilane {

/// Replaces the file by way of a temporary name beside it. Throws std::runtime_error.
void write_recording_file(const std::string& path, const Recording& recording);

}  // namespace trilane
