// The place in the program's source at which each call of an iteration is made.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// Returns where the program makes the call: "pipeline.cu:42 step", or "call 14" if its source is
/// unknown. Names the outermost of the user's functions that not all calls share, and the
/// innermost one if it differs: "train.py:31 step > model.py:20 forward". If all calls share the
/// user's functions, names the innermost of a Python library that they do not.
std::string place_of(const ApplicationRecording& recording, std::size_t call);

}  // namespace trilane
