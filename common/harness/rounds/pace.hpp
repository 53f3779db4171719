// How the turns of a comparison are timed: decided once, from one pass of each variant.
#pragma once

#include <cstdint>
#include <span>

#include "common/harness/rounds/bench.hpp"

namespace trilane {

struct Pace {
  std::uint32_t turn = 1;   ///< samples, the fewest
  std::uint32_t batch = 1;  ///< passes in a sample
  double round_us = 0;      ///< the time of a round with the fewest samples, all of them timed
  double timed_us = 0;      ///< what the samples fill if variants run in processes of their own

  /// The turn of a variant with such a pass: an untimed pass first, because of what another variant
  /// left behind; long passes do without. A process that has slept is slower at first: with 1 ms
  /// untimed and 2 ms timed, streams on launch took 12% longer than in a plain program, and malloc
  /// 13%; with 5 and 20 ms 3% and 4%, which is within what plain programs differ by (H200, four
  /// runs of 2 s). So variants that run apart warm up for 5 ms, and for as long again while the
  /// host's core is slow, and are timed for up to 20 ms, in at most 100 samples.
  TurnPlan turn_of(double pass_us) const;
};

/// What a comparison would like, and gets if its passes are short enough.
struct WantedPace {
  std::uint32_t turn, batch, rounds;
  double seconds;
  bool apart = false;
};

/// The pace for variants whose passes take `passes_us`; the batch is the same for all. Turns and
/// then batches are shortened until the wanted rounds fit into the time.
Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted);

}  // namespace trilane
