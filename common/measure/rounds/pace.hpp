// The timing of a comparison's turns, decided once from one pass of each variant.
#pragma once

#include <cstdint>
#include <span>

#include "common/measure/rounds/bench.hpp"

namespace trilane {

struct Pace {
  std::uint32_t turn = 1;   ///< samples, at least
  std::uint32_t batch = 1;  ///< passes in a sample
  double round_us = 0;      ///< of all timed passes of a round

  /// Returns the turn of a variant whose pass takes `pass_us`. An untimed pass comes first, because
  /// of effects of the variant before; long passes need none.
  TurnPlan turn_of(double pass_us) const;
};

/// Returns the only turn of a variant in a process of its own:
/// - 20 ms untimed, because caches are cold after a sleep,
/// - up to 20 ms more while the host's core is slow,
/// - samples for the rest of the time, at least 20 ms.
/// If a sample of short passes takes less than 0.6 ms, there is one sample for every 0.6 ms.
TurnPlan turn_alone(double pass_us, std::uint32_t batch, double seconds);

/// Returns the number of such passes that take 50 ms, at least 1 and at most `batch`.
std::uint32_t batch_alone(double pass_us, std::uint32_t batch);

/// Returns the wanted pace for variants whose passes take `passes_us`; the batch is the same for
/// all. Turns and then batches are shortened until the rounds fit into the time.
Pace pace_of(std::span<const double> passes_us, Pace pace, std::uint32_t rounds, double seconds);

}  // namespace trilane
