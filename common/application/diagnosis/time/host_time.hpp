// What the host does while the device waits for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

/// No launch on an idle device takes longer from the call to the start, by far; where every
/// operation is issued well ahead, the least time in a recording is not a launch latency.
inline constexpr double longest_latency_us = 15;

class HostTime {
 public:
  HostTime(const ApplicationRecording& recording, const IterationSchedule& schedule);

  /// What the host does in a stretch of its time: a kind of call, or own code.
  TimeUse use_of(const HostSpan& span) const;
  /// The function that was called, or "after" the one that was called before own code.
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

  /// From an operation's call to its start, at least: the least in the recording.
  double latency_us() const { return latency_us_; }

  /// Whether the operation would have started at `from`, when all before it was done, had the host
  /// issued it in time: a launch latency earlier, on its own way through its calls.
  bool issued_late(double from, const OperationRun& next) const;

 private:
  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  double latency_us_;
};

}  // namespace trilane
