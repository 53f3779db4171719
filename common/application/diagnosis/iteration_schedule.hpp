// Times of an iteration's calls and operations, repeated with its period, and the host's activity.
#pragma once

#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/happens_before.hpp"

namespace trilane {

/// A part of the host's time: a call with the runtime's time before it, or the application's code.
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

/// Upper bound of the launch latency on an idle device, by a wide margin. If every operation is
/// issued well ahead, a recording's least time from call to start is not a launch latency.
inline constexpr double longest_latency_us = 15;

class IterationSchedule {
 public:
  /// The recording must have a call, and `order` cover two repetitions; both must outlive this.
  IterationSchedule(const ApplicationRecording& recording, const HappensBefore& order);

  const ApplicationRecording& recording() const { return recording_; }
  const HappensBefore& order() const { return order_; }
  /// Returns the order of a call, with places in two repetitions of which it is in the second.
  const IssuedCall& order_of(std::size_t call) const {
    return order_.at(recording_.calls.size() + call);
  }
  RecordedEngine engine(std::size_t call) const {
    return engine_of(recording_.calls[call], recording_);
  }

  /// Returns the time from start to start or, without an iteration, from the first to the last.
  double period_us() const { return period_; }
  bool repeats() const { return repeats_; }
  bool has_device_times() const { return !runs_.empty(); }

  /// Returns the host's time from 0 to the period, without gaps.
  const std::vector<HostSpan>& host() const { return host_; }
  /// Returns what the host does in a span: a kind of call, or own code.
  TimeUse use_of(const HostSpan& span) const {
    return span.call ? trilane::use_of(recording_.calls[*span.call], recording_)
                     : TimeUse::own_code;
  }
  /// Returns the name of the called function; for own code, "after" and that of the call before.
  std::string name_of(const HostSpan& span) const;

  /// Calls visit(span, begin, end) for each part of the host's time from `from` to `to`.
  template <typename Visit>
  void each_span(double from, double to, Visit visit) const {
    for (double repetition = std::floor(from / period_); from < to; ++repetition) {
      const double shift = repetition * period_;
      auto span = std::ranges::upper_bound(host_, from - shift, {}, &HostSpan::end_us);
      for (; span != host_.end() && from < to; ++span) {
        const double end = std::min(to, span->end_us + shift);
        if (end <= from) continue;
        visit(*span, from, end);
        from = end;
      }
    }
  }

  /// Returns the runs of repetition 0, by start.
  const std::vector<OperationRun>& runs() const { return runs_; }
  /// Returns the run of a call in a repetition; absent without device times.
  std::optional<OperationRun> run_of(std::size_t call, double repetition) const;
  /// Does the same for the call at a place of two repetitions, as HappensBefore counts them, of
  /// which `repetition` is the second one. Absent, too, if the first one is not known to precede.
  std::optional<OperationRun> run_at(std::size_t place, double repetition = 0) const;

  /// Returns the run that ends last, at or before `by_us`, among those that a call of that
  /// repetition directly follows or waits for.
  std::optional<OperationRun> last_before(std::size_t call, double repetition, double by_us) const;
  /// Returns the run on the operation's engine that ends last, at or before its start.
  std::optional<OperationRun> on_engine_before(const OperationRun& run) const;
  double repetition_of(const OperationRun& run) const;

  /// Returns the runs of the steady state by start: those that start between 0 and two periods, and
  /// those that still run at 0. Omits runs that started before minus two periods: if such a run
  /// still lasts, later runs of the same operation cover all of it.
  std::vector<OperationRun> steady_runs() const;

  /// Returns the recording's least time from an operation's call to its start.
  double latency_us() const { return latency_us_; }
  /// Returns true if the operation would have started at `from`, when its predecessors were done,
  /// had the host issued it a launch latency earlier.
  bool issued_late(double from, const OperationRun& next) const;

 private:
  void add_host();

  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  double period_ = 0, latency_us_ = longest_latency_us;
  bool repeats_ = false;
  std::vector<HostSpan> host_;
  std::vector<OperationRun> runs_;
  std::vector<std::optional<OperationRun>> by_call_;
  std::map<RecordedEngine, std::vector<OperationRun>> by_end_;  // by engine, of repetitions -2 to 0
};

/// Returns the run moved by `us` microseconds.
OperationRun shifted(OperationRun run, double us);

}  // namespace trilane
