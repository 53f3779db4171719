// The harness: runs the variants of a comparison in rounds. It knows only a Bench and its indices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/measure/rounds/bench.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

struct HarnessSettings {
  double seconds = 0;  ///< measuring time, without set-up and checks
  /// Turns and batches are shortened until this many rounds fit into the time. With fewer,
  /// intervals rest on two cosine frequencies (interval.hpp) and are more than twice as wide as the
  /// spread of the rounds suggests.
  std::uint32_t min_rounds = 20;
  /// Between rounds all variants are torn down and set up again, in a shuffled order, as often as
  /// this share of the measuring time allows, on top of it. Two set-ups of one graph differed by
  /// 0.3 to 0.5% on an H200. The direction was the same in every comparison of a process, because
  /// the first one always got the same memory and streams. Intervals of rounds on one set-up miss
  /// that.
  double renewing_share = 0.2;
  double warm_up_us = 50'000;  ///< after every check
  int checks_before = 2;       ///< one is not enough: fresh memory often reads zero
  bool checks_between = true;  ///< otherwise only before the first round and after the last
  /// Called after every round. May mark variants as dropped, which get no more turns; ends the run
  /// by returning the text for Comparison::stopped. Without it the run lasts until the time is up.
  std::function<std::string(const Comparison&, std::vector<bool>& dropped)> judge = {};
};

/// Receives the harness's activity, for a progress display.
struct HarnessListener {
  std::function<void(const std::string&)> phase = [](const std::string&) {};
  std::function<void(double)> advance = [](double) {};       ///< fraction of the time used
  std::function<bool()> interrupted = [] { return false; };  ///< called between turns
};

/// Returns the name of a phase for HarnessListener::phase, with its time if that is more than 10 s:
/// "checking", or "checking, which takes about 14 s".
std::string announced(const std::string& phase, double seconds);

/// Runs one comparison:
/// - set-up, checks and evidence,
/// - rounds of interleaved turns, with checks and further set-ups between them,
/// - a last check, and tear-down.
/// `comparison` needs its workload, batch, reference, seed and one Measurement per variant of
/// `bench`, in the same order; those with Status::ok run. Fills it with everything measured, and
/// its summaries. A variant that fails is left out from then on. After a sticky error nothing runs
/// any more, and the remaining variants say so. If passes are long, shortens turns and then batches
/// (comparison.batch) until enough rounds for an interval fit.
void run_comparison(Bench& bench, Comparison& comparison, const HarnessSettings& settings,
                    const HarnessListener& listener);

}  // namespace trilane
