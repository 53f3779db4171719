// The items of a lane in a turn, with the times that are read when the turn is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/measure/loop/bench/device_clock.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Timing events around an item, and when the host knew that it was done.
struct ItemStamp {
  Event start = make_timing_event(), end = make_timing_event();
  double told_us = 0;
};

struct LaneItems {
  std::uint64_t item = 0;         ///< under way, or the next one
  std::vector<ItemStamp> stamps;  ///< of this turn's items
  std::size_t done = 0;           ///< of these
};

/// Which moments of an item get an event.
enum class Stamps {
  ends,
  starts_and_ends,
};

/// Reads how many items there were and when the host knew of each, from its end on. To be called
/// after clock.finish().
void read_ends(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn);

/// Reads the restarts, and the device's times, from the starts and ends of a run like that.
void read_starts(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn);

}  // namespace trilane
