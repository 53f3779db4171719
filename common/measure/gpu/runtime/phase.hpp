// Phases of a set-up, which log their durations.
#pragma once

#include "common/std.hpp"

namespace trilane {

class PhaseLog;

/// A phase's name, a literal, and the microseconds spent in it.
using PhaseTime = std::pair<std::string_view, double>;

/// Adds the time between its construction and destruction to the log of this thread, as in `const
/// Phase phase("capture");`. Inside another phase, or without a log, it does nothing and does not
/// read the clock. Phases of a set-up are "allocation", "streams", "capture", "build",
/// "instantiate", "upload" and "pool"; a pass has "pool allocation". `name` and the log must
/// outlive it.
class Phase : boost::noncopyable {
 public:
  explicit Phase(const char* name);
  ~Phase();

 private:
  PhaseLog* log_;  // null: not logged
  std::string_view name_;
  double start_us_ = 0;
};

/// Logs the phases of this thread while it lives. An inner log replaces an outer one.
class PhaseLog : boost::noncopyable {
 public:
  PhaseLog();
  ~PhaseLog();

  /// Returns the finished phases, each name once, in the order of their first end.
  const std::vector<PhaseTime>& times() const { return times_; }

 private:
  friend Phase;
  PhaseLog* const outer_;
  std::vector<PhaseTime> times_;
  bool in_phase_ = false;
};

}  // namespace trilane
