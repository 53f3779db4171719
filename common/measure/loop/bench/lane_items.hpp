// The items of a lane in a turn. Their times are read when the turn is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/measure/loop/bench/device_clock.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Timing events around an item, and the time when the host was notified of its end.
struct ItemStamp {
  Event start = make_timing_event(), end = make_timing_event();
  double told_us = 0;
};

struct LaneItems {
  std::uint64_t item = 0;         ///< in progress, or the next one
  std::vector<ItemStamp> stamps;  ///< of this turn's items
  std::size_t done = 0;           ///< number of them that are done
};

/// The moments of an item that get an event.
enum class Stamps {
  ends,
  starts_and_ends,
};

/// Reads the number of items, and the notification latency of each from its end. Call it after
/// clock.finish().
void read_ends(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn);

/// Reads the restarts and the device's times from the starts and ends of such a run.
void read_starts(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn);

}  // namespace trilane
