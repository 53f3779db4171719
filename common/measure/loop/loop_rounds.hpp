// Rounds of a loop: every contender has a turn in each, in a shuffled order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/explain/statistics/variant_ratio.hpp"
#include "common/measure/loop/bench/loop_bench.hpp"
#include "common/measure/loop/results/long_runs.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

struct LoopSettings {
  double seconds = 5;                    ///< measuring time of a loop
  std::uint32_t fewest = fewest_rounds;  ///< at least, regardless of the time
  std::uint64_t seed = 1;                ///< of the parameters and of the order of turns
  std::vector<TellerEntry> tellers;
  std::vector<Resubmission> resubmissions{Resubmission::streams, Resubmission::graph};
  std::size_t most_records = most_turns;  ///< of turns, see add_turn()
  TurnSettings turn = {};
};

class LoopRounds {
 public:
  /// Sets up every notification with every resubmission. `settings` must outlive it.
  LoopRounds(const Loop& loop, const LoopSettings& settings);

  /// Runs a warm-up round, then those that count, and returns the measurements. May be called once.
  std::vector<LoopMeasurement> run();

 private:
  /// A measurement, and the bench that makes it.
  struct Contender {
    LoopMeasurement measurement;
    std::unique_ptr<LoopBench> bench;  // null: not possible, or failed
    void drop(LoopStatus status, const std::string& reason);
  };

  Contender set_up(const Loop& loop, const TellerEntry& teller, Resubmission resubmission);
  void run_rounds();
  void round(bool counts);
  void take_turn(Contender& contender, bool counts);
  void fail(Contender& contender, const char* reason);

  const LoopSettings& settings_;
  std::string lost_to_;  // empty: the device works
  Items items_;
  Random random_;
  std::vector<Contender> contenders_;
};

}  // namespace trilane
