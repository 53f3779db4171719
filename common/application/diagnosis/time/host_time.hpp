// Tells what the host does while the device waits for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

/// Upper bound of the launch latency on an idle device, by a wide margin. If every operation is
/// issued well ahead, a recording's least time from call to start is not a launch latency.
inline constexpr double longest_latency_us = 15;

class HostTime {
 public:
  HostTime(const ApplicationRecording& recording, const IterationSchedule& schedule);

  /// Returns what the host does in a span: a kind of call, or own code.
  TimeUse use_of(const HostSpan& span) const;
  /// Returns the name of the called function; for own code, "after" and that of the call before.
  std::string name_of(const HostSpan& span) const;

  /// Calls visit(span, begin, end) for each part of the host's time from `from` to `to`.
  template <typename Visit>
  void each_span(double from, double to, Visit visit) const {
    const double period = schedule_.period_us();
    const auto& host = schedule_.host();
    for (double repetition = std::floor(from / period); from < to; ++repetition) {
      const double shift = repetition * period;
      auto span = std::ranges::upper_bound(host, from - shift, {}, &HostSpan::end_us);
      for (; span != host.end() && from < to; ++span) {
        const double end = std::min(to, span->end_us + shift);
        if (end <= from) continue;
        visit(*span, from, end);
        from = end;
      }
    }
  }

  /// Returns the recording's least time from an operation's call to its start.
  double latency_us() const { return latency_us_; }

  /// Returns true if the operation would have started at `from`, when its predecessors were done,
  /// had the host issued it a launch latency earlier.
  bool issued_late(double from, const OperationRun& next) const;

 private:
  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  double latency_us_;
};

}  // namespace trilane
