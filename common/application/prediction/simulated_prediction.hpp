// Predicts an iteration's times, as recorded and with changes, and confirms its races.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Runs the iteration a few times in each way on the simulated device, which start_simulation() has
/// given its profile. The recording's indices must be within their lists. What the device refuses
/// is in the record. Throws std::logic_error on a GPU.
SimulatedTimes simulated_times(const ApplicationRecording& recording);

/// Returns true if the simulated device orders the calls within seconds: each tracks each stream.
bool is_ordered_soon(const ApplicationRecording& recording);

/// Returns why no time of the iteration can be predicted, naming the call; empty if it can.
std::string why_not_simulated(const ApplicationRecording& recording);

/// Returns what such predictions omit or assume, a sentence each.
std::vector<std::string> assumptions(const ApplicationRecording& recording);

/// Sets RecordedRace::confirmed: issues the iteration's calls so that only a race's two operations
/// share bytes, and takes the simulated device's verdict on every legal order. Leaves it absent if
/// the device does not know a call or the memory, and beyond a number of races.
void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races);

}  // namespace trilane
