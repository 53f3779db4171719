#include "common/measure/loop/bench/lane_items.hpp"

#include <utility>

#include "common/measure/loop/bench/covered.hpp"

namespace trilane {

void read_ends(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn) {
  turn.clock_error_us = clock.error_us();
  for (const LaneItems& lane : lanes) {
    for (const ItemStamp& stamp : lane.stamps) {
      turn.told_us.push_back(stamp.told_us - clock.host_us(clock.device_us(stamp.end)));
    }
  }
  turn.items = turn.told_us.size();
}

void read_starts(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn) {
  std::vector<Interval> all;
  for (const LaneItems& lane : lanes) {
    for (std::size_t i = 0; i < lane.stamps.size(); ++i) {
      const ItemStamp& stamp = lane.stamps[i];
      const Interval item{clock.device_us(stamp.start), clock.device_us(stamp.end)};
      if (i > 0) turn.restart_us.push_back(item.start_us - all.back().end_us);
      all.push_back(item);
    }
  }
  const Covered covered = covered_by(std::move(all));
  turn.span_us = covered.span_us;
  turn.busy_us = covered.busy_us;
}

}  // namespace trilane
