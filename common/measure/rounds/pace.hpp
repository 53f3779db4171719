// How the turns of a comparison are timed: decided once, from one pass of each variant.
#pragma once

#include <cstdint>
#include <span>

#include "common/measure/rounds/bench.hpp"

namespace trilane {

struct Pace {
  std::uint32_t turn = 1;   ///< samples, the fewest
  std::uint32_t batch = 1;  ///< passes in a sample
  double round_us = 0;      ///< the time of a round, all of its passes timed

  /// The turn of a variant with such a pass: an untimed pass first, because of what another variant
  /// left behind; long passes do without.
  TurnPlan turn_of(double pass_us) const;
};

/// The only turn of a variant in a process of its own: 20 ms untimed, because a process that has
/// slept finds its caches cold, and as long again while the host's core is slow; then samples for
/// what is left of the time, 20 ms at least. Of short passes there is a sample for every 0.6 ms,
/// which take less.
TurnPlan turn_alone(double pass_us, std::uint32_t batch, double seconds);

/// The passes of a batch of which such passes take 50 ms, at least 1 and at most `batch`.
std::uint32_t batch_alone(double pass_us, std::uint32_t batch);

/// What a comparison would like, and gets if its passes are short enough.
struct WantedPace {
  std::uint32_t turn, batch, rounds;
  double seconds;
};

/// The pace for variants whose passes take `passes_us`; the batch is the same for all. Turns and
/// then batches are shortened until the wanted rounds fit into the time.
Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted);

}  // namespace trilane
