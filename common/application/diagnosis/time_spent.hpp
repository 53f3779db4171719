// Tells how the host and the device spend an iteration, why the device is idle, and what its time
// depends on. Reconstructs the times without a tracer, which lengthens calls.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/happens_before.hpp"

namespace trilane {

/// Returns the host's time in an iteration by use.
std::vector<TimeShare> host_use(const IterationSchedule& schedule);

/// Returns the device's time by use. Each gap is split by what the next operation waited for:
/// - until its call began, for what the host did;
/// - then for its call;
/// - then for its predecessors, or for its launch.
/// Needs device times.
DeviceUse device_use(const IterationSchedule& schedule);

/// Returns the parts of the critical path, similar parts added up, longest first. Their sum is the
/// period. The path goes back from the iteration's last end, on the host or the device:
/// - from a wait's return to the end of what it waited for;
/// - from an operation's start to the latest of its call, the end of its predecessors and the end
///   of the operation that kept its engine busy;
/// - from the start to the call if the host was late.
std::vector<PathPart> critical_path(const IterationSchedule& schedule);

struct UntracedTimes {
  /// The given recording, with untraced times of the calls if Reconstruction::used.
  ApplicationRecording recording;
  /// Absent if nothing was traced, or nothing was measured to compare it with.
  std::optional<Reconstruction> reconstruction;
};

/// Returns the recording with starts for operations that a replay timed. Each begins when its call
/// has returned and those before it are done. `order` covers two repetitions.
ApplicationRecording with_starts(ApplicationRecording recording, const HappensBefore& order);

/// Combines the calls' own times and the operations' traced lengths. `order`: two repetitions.
UntracedTimes untraced_times(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
