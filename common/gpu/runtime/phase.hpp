// Phases of a set-up: where its time goes, told by the parts that variants are made of.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace trilane {

class PhaseLog;

/// A phase's name, a literal, and the microseconds spent in it.
using PhaseTime = std::pair<std::string_view, double>;

/// Adds the time between construction and destruction to the log of this thread, if it has one:
/// `const Phase phase("capture");`. Within another phase, and without a log, it does nothing, not
/// even look at the clock. The phases of set-ups are "allocation", "streams", "capture", "build",
/// "instantiate", "upload" and "pool"; of passes "pool allocation". `name` and the log outlive it.
class Phase {
 public:
  explicit Phase(const char* name);
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  PhaseLog* log_;  // null: nobody listens
  std::string_view name_;
  double start_us_ = 0;
};

/// While it lives, the phases of this thread are logged here. A log within the life of another
/// takes them from that, which has them again afterwards.
class PhaseLog {
 public:
  PhaseLog();
  ~PhaseLog();
  PhaseLog(const PhaseLog&) = delete;
  PhaseLog& operator=(const PhaseLog&) = delete;

  /// What has ended so far, a name once, in the order in which they ended first.
  const std::vector<PhaseTime>& times() const { return times_; }

 private:
  friend Phase;
  PhaseLog* const outer_;
  std::vector<PhaseTime> times_;
  bool in_phase_ = false;
};

}  // namespace trilane
