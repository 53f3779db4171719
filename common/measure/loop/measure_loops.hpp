// Compares notifications: their turns are interleaved, in an order shuffled every round.
#pragma once

#include "common/explain/statistics/statistics.hpp"
#include "common/measure/loop/bench/loop_bench.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {

struct LoopSettings {
  /// Of turns; the seed is also that of the parameters.
  RoundSettings rounds = {.seconds = 5, .fewest = fewest_rounds};
  std::vector<NotificationEntry> notifications;
  std::vector<Resubmission> resubmissions{Resubmission::streams, Resubmission::graph};
  std::size_t most_records = most_turns;  ///< of turns, see add_turn()
  TurnSettings turn = {};
};

/// Finds the kernel's rounds and runs all contenders. A failing contender is not run again, and has
/// the reason. A sticky error ends the run: others keep their turns or, without any, have the
/// status not run. An interrupt returns what was measured. Throws NotPossible without memory.
LoopComparison measure_loops(Loop loop, const LoopSettings& settings);

}  // namespace trilane
