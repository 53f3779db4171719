// Reconstructs an iteration's times without a tracer. Tracing lengthens calls and holds streams up,
// so an iteration of short operations looks different while traced.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/happens_before.hpp"

namespace trilane {

struct UntracedTimes {
  /// The given recording, with untraced times of the calls if Reconstruction::used.
  ApplicationRecording recording;
  /// Absent if nothing was traced, or nothing was measured to compare it with.
  std::optional<Reconstruction> reconstruction;
};

/// Returns the recording with starts for operations that a replay timed. Each begins when its call
/// has returned and those before it are done. `order` covers two repetitions.
ApplicationRecording with_starts(ApplicationRecording recording, const HappensBefore& order);

/// Combines the calls' own times and the operations' traced lengths. `order` covers two
/// repetitions.
UntracedTimes untraced_times(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
