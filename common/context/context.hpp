// Where, when and with what a run was made.
#pragma once

#include <string>

#include "common/gpu/runtime/device.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// The surroundings at the start of a run on an open device. What cannot be read is left empty
/// with a note. Neither the machine's name nor the user's is recorded. Takes some milliseconds and
/// asks the driver: not to be called while something is measured. `simulated` names the profile of
/// a simulated device, of which there is no driver to ask; it is empty for a GPU.
Context start_context(const Device& device, const std::string& command_line,
                      const std::string& simulated);

/// Adds the end of the run: the time, the GPU's state, processes that came meanwhile. May be
/// called again for a later end.
void finish_context(Context& context);

}  // namespace trilane
