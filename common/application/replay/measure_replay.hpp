// Replays an iteration in the application's process: measures every candidate and brings the
// application's memory back.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "common/application/iteration/records/replay_record.hpp"
#include "common/application/replay/calls/replayed_iteration.hpp"
#include "common/application/replay/memory/snapshot.hpp"

namespace trilane {

struct ReplaySettings {
  double seconds = 7;  ///< measuring time
  double precision = 0.01;
  std::uint64_t seed = 1;
  std::uint64_t most_snapshot_bytes = std::uint64_t{4} << 30;
  /// So many comparisons of the same calls with themselves instead, `seconds` long each; 0: none.
  std::uint32_t repeats = 0;
};

/// `before` is what memory held when the iteration that was taken began; what it holds now, at its
/// end, is there again when this returns. The context must be current. `alone` is called once, also
/// where nothing can be replayed: it takes out of the process what makes calls or kernels slower,
/// and nothing is compared before that. Throws nothing: what went wrong is in the record.
ReplayRecord measure_replay(const TakenIteration& taken, Snapshot before,
                            const ReplaySettings& settings, const std::function<void()>& alone);

}  // namespace trilane
