// Computes the host's time between an iteration's calls.
#pragma once

#include <vector>

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// Returns the application's own time before each call, in microseconds: RecordedCall::own_us or,
/// without it, the time since the previous call's end or the iteration's start. It is shortened by
/// the ratio of iterations with only their ends watched to the sum of the timed parts.
std::vector<double> own_gaps(const ApplicationRecording& recording);

/// Returns the same plus RecordedCall::runtime_us: all the time before each driver call. If other
/// calls replace these, or calls of the runtime are made, only own_gaps() remains.
std::vector<double> host_gaps(const ApplicationRecording& recording);

}  // namespace trilane
