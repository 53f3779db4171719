// How the turns of a comparison are timed: decided once, from one pass of each variant.
#pragma once

#include <cstdint>
#include <span>

#include "common/harness/rounds/bench.hpp"

namespace trilane {

/// The two events of a sample whose clocks are read together take about 2 us, a thousandth of such
/// a pass.
inline constexpr double hides_events_us = 2'000;

struct Pace {
  Clocks clocks = Clocks::apart;
  bool turn_shows_first = true;  ///< so that a turn of short passes needs an untimed one before it
  std::uint32_t turn = 1;        ///< samples
  std::uint32_t batch = 1;       ///< passes in a sample
  double round_us = 0;           ///< the time of a round, without untimed passes

  /// Whether a variant with such a pass runs one untimed before the samples of a turn: what another
  /// variant left behind lasts for less than a thousandth of a long one.
  bool untimed_pass(double pass_us) const { return turn_shows_first && pass_us < long_pass_us; }
};

/// What a comparison would like, and gets if its passes are short enough.
struct WantedPace {
  std::uint32_t turn, batch, rounds;
  double seconds;
};

/// The pace for variants whose passes take `passes_us`; all share it, so that none is timed in
/// another way. Passes that hide the events are timed three in a turn without one before them: the
/// turn counts by its median, so what another variant left behind in the first does not. Turns and
/// then batches are shortened until the wanted rounds fit into the time.
Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted);

}  // namespace trilane
