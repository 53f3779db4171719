// Names the places in a program that make the calls of its iteration.
#pragma once

#include <cstddef>
#include <string>

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// Returns where the program makes the call: "pipeline.cu:42 step", or "call 14" if its source is
/// unknown.
std::string place_of(const ApplicationRecording& recording, std::size_t call);

}  // namespace trilane
