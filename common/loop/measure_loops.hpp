// Compares tellers: their turns are interleaved, in an order that is shuffled every round.
#pragma once

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/loop/bench/loop_bench.hpp"
#include "common/loop/results/loop_results.hpp"

namespace trilane {

struct LoopSettings {
  double seconds = 5;                    ///< measuring time of a loop
  std::uint32_t fewest = fewest_rounds;  ///< whatever the time
  std::uint64_t seed = 1;                ///< of the parameters and of the order of turns
  std::vector<TellerEntry> tellers;
  std::vector<Resubmission> resubmissions{Resubmission::streams, Resubmission::graph};
  TurnSettings turn = {};
};

/// Finds the kernel's rounds and runs all. A contender that fails is not run again, and has the
/// reason. A sticky error ends the run: others keep their turns or, without any, are not run.
/// Interrupted, it returns what it has. Throws NotPossible where memory runs out.
LoopComparison measure_loops(Loop loop, const LoopSettings& settings);

}  // namespace trilane
