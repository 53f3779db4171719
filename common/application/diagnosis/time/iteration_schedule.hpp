// Times of an iteration's calls and operations, repeated with the iteration's period.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// A segment of the host's time: a call and the time before it in functions of the runtime, or the
/// application's own code.
struct HostSpan {
  double start_us = 0, end_us = 0;
  std::optional<std::size_t> call;  ///< absent: own code
  std::size_t before = 0;           ///< for own code: the call after it
};

/// One run of an operation. Repetition 0 is the one whose calls start in [0, period).
struct OperationRun {
  std::size_t call = 0;
  double issued_us = 0, returned_us = 0;  ///< of its call
  double start_us = 0, end_us = 0;
};

class IterationSchedule {
 public:
  /// The recording must have a call.
  explicit IterationSchedule(const ApplicationRecording& recording);

  /// Returns the time from one iteration's start to the next, or from the first call to the last
  /// end if no iteration was found.
  double period_us() const { return period_; }
  bool repeats() const { return repeats_; }
  bool has_device_times() const { return !runs_.empty(); }

  /// Returns the host's time from 0 to the period, without gaps.
  const std::vector<HostSpan>& host() const { return host_; }
  /// Returns the runs of repetition 0, by start.
  const std::vector<OperationRun>& runs() const { return runs_; }

  /// Returns the runs of the steady state by start: those that start between 0 and two periods, and
  /// those that still run at 0. Omits runs that started before minus two periods: if such a run
  /// still lasts, later runs of the same operation cover all of it.
  std::vector<OperationRun> steady_runs() const;

 private:
  void add_host(const ApplicationRecording& recording);

  double period_ = 0;
  bool repeats_ = false;
  std::vector<HostSpan> host_;
  std::vector<OperationRun> runs_;
};

/// Returns the run moved by `us` microseconds.
OperationRun shifted(OperationRun run, double us);

}  // namespace trilane
