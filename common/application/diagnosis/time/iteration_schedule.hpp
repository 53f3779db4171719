// When an iteration's calls and operations ran, repeated with the iteration's period.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// A stretch of the host's time: a call, with what passed before it in functions of the runtime, or
/// the application's own code.
struct HostSpan {
  double start_us = 0, end_us = 0;
  std::optional<std::size_t> call;  ///< absent: own code
  std::size_t before = 0;           ///< of own code: the call after it
};

/// One run of an operation. Repetition 0 is the one whose calls start in [0, period).
struct OperationRun {
  std::size_t call = 0;
  double issued_us = 0, returned_us = 0;  ///< of its call
  double start_us = 0, end_us = 0;
};

class IterationSchedule {
 public:
  /// Needs a call.
  explicit IterationSchedule(const ApplicationRecording& recording);

  /// From one iteration's start to the next one's. Where no iteration was found, from the first
  /// call to the last end.
  double period_us() const { return period_; }
  bool repeats() const { return repeats_; }
  bool has_device_times() const { return !runs_.empty(); }

  /// The host's time from 0 to the period, without gaps.
  const std::vector<HostSpan>& host() const { return host_; }
  /// The runs of repetition 0, by start.
  const std::vector<OperationRun>& runs() const { return runs_; }

  /// The same as it looks in the steady state: those that start between 0 and two periods, with
  /// what still runs at 0, by start. Left out is what started before minus two periods: if it still
  /// runs, later runs of the same operation cover all that it does.
  std::vector<OperationRun> steady_runs() const;

 private:
  void add_host(const ApplicationRecording& recording);

  double period_ = 0;
  bool repeats_ = false;
  std::vector<HostSpan> host_;
  std::vector<OperationRun> runs_;
};

/// The run by so many microseconds later.
OperationRun shifted(OperationRun run, double us);

}  // namespace trilane
