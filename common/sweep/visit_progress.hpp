// How far a sweep is, for the person waiting for it.
#pragma once

#include <cstddef>
#include <string>

#include "common/console/console.hpp"
#include "common/sweep/map/regime_map.hpp"
#include "common/sweep/map/visit_schedule.hpp"

namespace trilane {

/// Counts the cells that wait for their first visit, and then, in turn after turn, those that are
/// still open.
class VisitProgress {
 public:
  /// `map` and `console` outlive it.
  VisitProgress(const RegimeMap& map, Console& console) : map_(map), console_(console) {}

  /// A visit begins.
  void start(const Visit& visit);
  /// So much of its time is over, from 0 to 1.
  void advance(double part) { shown_->advance(part * seconds_, seconds_); }
  /// It is over, with this outcome.
  void done(const Cell& cell);

 private:
  const RegimeMap& map_;
  Console& console_;
  Progress* shown_ = nullptr;
  std::size_t announced_ = 0;  // visits that shown_ still counts
  double seconds_ = 0;
};

}  // namespace trilane
