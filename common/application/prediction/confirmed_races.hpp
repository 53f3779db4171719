// Checks the races of a diagnosis by the simulated device's own rules of order.
#pragma once

#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/race_record.hpp"

namespace trilane {

/// Sets RecordedRace::confirmed: issues the iteration's calls with only the two operations of a
/// race on shared bytes, and takes what the simulated device says of every legal order. Leaves it
/// open where the device does not know a call or the memory, and beyond a number of races.
void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races);

}  // namespace trilane
