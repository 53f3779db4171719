// Tells how the host and the device spend an iteration, why the device is idle, and what its time
// depends on. Reconstructs the times without a tracer, which lengthens calls.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Returns the host's time in an iteration by use.
std::vector<TimeShare> host_use(const IterationSchedule& schedule);

/// Returns the device's time by use. A gap is split by what the next operation waited for: the host
/// before its call, then its call, then its predecessors or launch. Needs device times.
DeviceUse device_use(const IterationSchedule& schedule);

/// Returns the parts of the critical path, similar parts added up, longest first. Their sum is the
/// period. The path goes back from the iteration's last end: from a wait's return to what it waited
/// for; from an operation's start to the latest of its call, its predecessors and its engine's
/// previous operation; from the start to the call if the host was late.
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
