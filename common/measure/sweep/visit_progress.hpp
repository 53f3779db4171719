// Shows the progress of a sweep.
#pragma once

#include <cstddef>

#include "common/base/console/console.hpp"
#include "common/measure/sweep/map/regime_map.hpp"
#include "common/measure/sweep/map/visit_schedule.hpp"

namespace trilane {

/// Counts the cells that await their first visit, then those that await the next, and so on.
class VisitProgress {
 public:
  /// `map` and `console` must outlive it.
  VisitProgress(const RegimeMap& map, Console& console) : map_(map), console_(console) {}

  /// Starts showing the visit.
  void start(const Visit& visit);
  /// Shows the elapsed share of the visit's time, from 0 to 1.
  void advance(double part) { shown_->advance(part * seconds_, seconds_); }
  /// Ends the visit, with this result.
  void done(const Cell& cell);

 private:
  const RegimeMap& map_;
  Console& console_;
  Progress* shown_ = nullptr;
  std::size_t announced_ = 0;  // visits left in the current count
  double seconds_ = 0;
};

}  // namespace trilane
