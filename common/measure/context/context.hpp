// The context of a run: its place, time and build.
#pragma once

#include "common/measure/gpu/runtime/device.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns signs of other processes on device `ordinal`, for start_context(). Call it before
/// open_device(), which creates this program's own context there. Waits for up to 1.5 s if the
/// device is busy. Empty on a simulated device, without NVML, or without such a device.
std::vector<std::string> others_before(int ordinal, const std::string& simulated);

/// Returns only the version, revision and build of this program.
Context program_context();

/// Returns the context at the start of a run on an open device. What cannot be read is left empty,
/// with a note. The names of machine and user are not recorded, see name_node(). Calls the driver
/// for milliseconds: not during a measurement. `simulated` names the profile of a simulated device,
/// which has no driver, and is empty for a GPU. `others` are signs of other processes.
Context start_context(const Device& device, const std::string& command_line,
                      const std::string& simulated, const std::vector<std::string>& others = {});

/// Records the host's name as the host's property "node".
void name_node(Context& context);

/// Adds the end of the run: time, GPU's state, and new processes. Another call moves the end.
void finish_context(Context& context);

}  // namespace trilane
