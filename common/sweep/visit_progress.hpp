// Shows the progress of a sweep.
#pragma once

#include <cstddef>

#include "common/console/console.hpp"
#include "common/sweep/map/regime_map.hpp"
#include "common/sweep/map/visit_schedule.hpp"

namespace trilane {

/// Counts the cells that wait for their first visit and then, again and again, those still open.
class VisitProgress {
 public:
  /// `map` and `console` outlive it.
  VisitProgress(const RegimeMap& map, Console& console) : map_(map), console_(console) {}

  /// A visit begins.
  void start(const Visit& visit);
  /// The share of its time that has passed, from 0 to 1.
  void advance(double part) { shown_->advance(part * seconds_, seconds_); }
  /// A visit ends, with this result.
  void done(const Cell& cell);

 private:
  const RegimeMap& map_;
  Console& console_;
  Progress* shown_ = nullptr;
  std::size_t announced_ = 0;  // visits left in the current count
  double seconds_ = 0;
};

}  // namespace trilane
