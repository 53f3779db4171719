// Predicts an iteration's times, as recorded and with changes.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Runs the iteration a few times in each way on the simulated device, which start_simulation() has
/// given its profile. The recording's indices must be within their lists. What the device refuses
/// is in the record. Throws std::logic_error on a GPU.
SimulatedTimes simulated_times(const ApplicationRecording& recording);

}  // namespace trilane
