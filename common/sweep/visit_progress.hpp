// How far a sweep is, for a person who waits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/console/progress.hpp"
#include "common/sweep/map/regime_map.hpp"
#include "common/sweep/map/visit_schedule.hpp"

namespace trilane {

/// Counts the cells that wait for their first visit, and then, in turn after turn, those that are
/// still open.
class VisitProgress {
 public:
  /// `map` outlives it.
  explicit VisitProgress(const RegimeMap& map) : map_(map) {}

  /// A visit begins.
  void start(const Visit& visit);
  /// So much of its time is over, from 0 to 1.
  void advance(double part) { shown_->advance(part * seconds_, seconds_); }
  /// It is over: what came of it.
  void done(const Cell& cell);
  /// Takes the line away, so that other output can follow.
  void clear() { shown_.reset(); }

 private:
  const RegimeMap& map_;
  std::optional<Progress> shown_;
  std::size_t announced_ = 0;  // visits that shown_ still counts
  double seconds_ = 0;
};

}  // namespace trilane
