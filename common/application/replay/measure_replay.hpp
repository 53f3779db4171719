// Replays an iteration in the application's process: measures every candidate, and restores memory.
#pragma once

#include "common/application/iteration/recording_file.hpp"
#include "common/application/replay/operation_timer.hpp"
#include "common/application/replay/replayed_iteration.hpp"
#include "common/application/replay/snapshot.hpp"

namespace trilane {

struct ReplaySettings {
  double seconds = 7;  ///< measuring time
  double precision = 0.01;
  std::uint64_t seed = 1;
  std::uint64_t most_snapshot_bytes = std::uint64_t{4} << 30;
  bool skips_host_functions = false;
  /// Number of comparisons of the same calls with themselves instead, `seconds` each; 0: none.
  std::uint32_t repeats = 0;
};

/// Measures the replay. Never throws: the record says what went wrong. The context must be current.
/// - `before` is the memory's content at the beginning of the taken iteration. The memory must hold
///   the iteration's end, and holds it again afterwards.
/// - `alone` is called once, even if nothing can be replayed. It takes out of the process what
///   slows calls or kernels down; nothing is compared before that.
/// - `timed` receives the lengths of operations on the device, if the recording has none.
ReplayRecord measure_replay(
    const TakenIteration& taken, Snapshot before, const ReplaySettings& settings,
    const std::function<void()>& alone,
    const std::function<void(const DeviceLengths&)>& timed = [](const auto&) {});

}  // namespace trilane
