// Runs a recorded iteration on the simulated device in various ways.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Runs one iteration, with the host's own time and its waits. The runtime's own time is part of
/// the profile's calls.
using SimulatedPass = std::function<void()>;

/// Makes a pass. `recording` must outlive it, and must not be one that why_not_simulated() refuses.
/// Throws CudaError, OutOfMemory and std::bad_alloc.
SimulatedPass make_pass(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
