// Checks the races of a diagnosis by the simulated device's own ordering rules.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Sets RecordedRace::confirmed: issues the iteration's calls so that only a race's two operations
/// share bytes, and takes the simulated device's verdict on every legal order. Leaves it absent if
/// the device does not know a call or the memory, and beyond a number of races.
void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races);

}  // namespace trilane
