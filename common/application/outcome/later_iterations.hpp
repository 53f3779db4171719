// What was seen of an application after its iteration was replayed.
#pragma once

#include "common/application/outcome/replay_record.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// Adds what the application's last recording says of later iterations: their time, and the
/// arguments and pointers that changed only then. Graphs that were measured did not set these, so
/// that their times are no more than bounds: Measurement::not_set. `record.comparison` needs
/// derive() after that.
void add_later_iterations(const ApplicationRecording& last, ReplayRecord& record);

}  // namespace trilane
