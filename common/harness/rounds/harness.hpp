// The harness: who runs when. It knows no variant and no CUDA, only a Bench and its indices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/harness/rounds/bench.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct HarnessSettings {
  double seconds = 0;  ///< measuring time; checks and set-up come on top
  /// Half width, relative, that is to be expected of every interval before the run may end.
  double precision = 0.01;
  /// Timed samples in a turn at most, after one untimed pass. Passes of a turn resemble each other:
  /// in comparisons of streams with itself on an H200, 2 gave intervals a fifth narrower than 4 in
  /// the same time, and the untimed one would outweigh a single one.
  std::uint32_t turn = 2;
  /// Rounds before precision may end the run. With fewer, intervals rest on two frequencies and
  /// are more than twice as wide as the spread of the rounds alone would make them.
  std::uint32_t min_rounds = 20;
  double warm_up_us = 50'000;  ///< after every check
  int checks_before = 2;       ///< one pass proves nothing: fresh memory often reads zero
  bool checks_between = true;  ///< else only before the first round and after the last
  /// In place of precision, where it is given: asked after every round, may set those that get no
  /// more turns, and ends the run as "decided" with true.
  std::function<bool(const Comparison&, std::vector<bool>& resting)> decided = {};
};

/// Hears what the harness is doing, for a progress display.
struct HarnessListener {
  std::function<void(const std::string&)> phase = [](const std::string&) {};
  std::function<void(double)> advance = [](double) {};       ///< fraction of the time used
  std::function<bool()> interrupted = [] { return false; };  ///< asked between turns
};

/// Runs one comparison: set-up, checks and evidence, rounds of interleaved turns with checks
/// between them, a last check, tear-down. `comparison` comes with its workload, batch, reference,
/// seed and one Measurement per variant of `bench`, in the same order, those to be run with
/// Status::ok; it leaves with everything that was measured, summarised. A variant that fails is
/// left out from then on; after a sticky error nothing more is run, and what was not run says so.
/// Long passes get shorter turns and batches (comparison.batch says which), so that rounds enough
/// for an interval fit into the time.
void run_comparison(Bench& bench, Comparison& comparison, const HarnessSettings& settings,
                    const HarnessListener& listener);

}  // namespace trilane
