#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/explain/analysis/trace/trace_summary.hpp"

namespace trilane {

namespace {

/// Returns true if the memory that the operation uses is unknown.
bool may_use_any(const RecordedCall& call) {
  return role_of(call.kind) == CallRole::work ? call.uses.empty()
                                              : traits_of(call.kind).reach == MemoryReach::anything;
}

class LegacyDelays {
 public:
  explicit LegacyDelays(const IterationSchedule& schedule)
      : recording_(schedule.recording()), schedule_(schedule) {}

  /// Returns how much earlier the call's operation could start without the rule, at most. The
  /// reaction to the end of what it follows by the rule counts.
  double of(std::size_t call) {
    const IssuedCall& issued = schedule_.order_of(call);
    const auto found = schedule_.run_of(call, 0);
    if (!issued.by_legacy || !found) return 0;
    const OperationRun& run = *found;
    double needed = run.issued_us + schedule_.latency_us(), by_rule = -HUGE_VAL;
    for (const Predecessor& one : issued.after) {
      double& latest = one.by == OrderedBy::legacy ? by_rule : needed;
      latest = std::max(latest, end_at(one.place, run));
    }
    if (by_rule <= needed) return 0;
    const double earliest = std::max(needed, end_of_data(call, run));
    return by_rule > earliest ? run.start_us - earliest : 0;
  }

 private:
  std::size_t calls() const { return recording_.calls.size(); }

  /// Returns the end of the last run of the operation at a place before `run` starts.
  double end_at(std::size_t place, const OperationRun& run) const {
    const auto found = schedule_.run_at(place);
    return found ? std::min(run.start_us, found->end_us) : -HUGE_VAL;
  }

  /// Varying addresses may have differed in the previous iteration.
  bool conflicts(std::size_t place, std::size_t call) const {
    const RecordedCall &one = recording_.calls[place % calls()], &other = recording_.calls[call];
    const bool comparable = place >= calls() || (!varies(one) && !varies(other));
    return comparable && may_conflict(one, other);
  }

  /// Returns the end of the previous iteration's last operation after this one whose data it uses.
  double end_of_data(std::size_t call, const OperationRun& run) {
    double last = -HUGE_VAL;
    for (std::size_t place = calls() + call; --place > call;) {
      if (!is_operation(recording_.calls[place % calls()].kind)) continue;
      if (++pairs_ > most_pairs) return HUGE_VAL;
      if (conflicts(place, call)) last = std::max(last, end_at(place, run));
    }
    return last;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  std::size_t pairs_ = 0;
};

constexpr double little_overlap = 0.1;

/// Least time that a copy must take to gain by a stream of its own: it then follows and precedes
/// kernels by events, and a stream reacts to each 1.13 us later (H200, across_us of its profile).
constexpr double two_events_us = 2 * 1.13;

class Copies {
 public:
  explicit Copies(const IterationSchedule& schedule)
      : recording_(schedule.recording()), schedule_(schedule) {
    for (const OperationRun& run : schedule.steady_runs()) {
      if (call(run.call).kind != CallKind::kernel) continue;
      kernels_running_ += Interval(run.start_us, run.end_us);
    }
    for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
      if (call(i).kind == CallKind::kernel) kernels_.push_back(i);
    }
  }

  void examine(const OperationRun& run, FindingGroups& groups) {
    if (!is_copy(schedule_.engine(run.call)) || kernels_running_.empty()) return;
    const double us = run.end_us - run.start_us;
    const Intervals copy(Interval(run.start_us, run.end_us));
    const double overlapped_us = length(copy & kernels_running_);
    if (overlapped_us > little_overlap * us) return;
    const auto beside = independent_kernels(run.call);
    if (pairs_ > most_pairs) return;
    const auto kind =
        beside.empty() ? FindingKind::copy_needs_buffer : FindingKind::copy_could_overlap;
    const Obstacle obstacle = obstacle_of(run.call, beside.empty() ? kernels_ : beside);
    if (obstacle == Obstacle::order && any_unordered(run.call, beside)) return;
    if (obstacle == Obstacle::same_stream && us < two_events_us) return;
    const double gaps_us = gap_before_us(schedule_, run, schedule_.latency_us()) +
                           gap_behind_us(schedule_, run.call, schedule_.latency_us());
    const double gain_us = us - overlapped_us + gaps_us;
    CallFinding& finding = groups.add(
        kind, run.call, us,
        host_waits(obstacle) ? std::max(gain_us, gain_without_wait(schedule_, run.call)) : gain_us,
        obstacle);
    if (obstacle == Obstacle::order && finding.delayed.empty()) {
      finding.delayed = wait_before(recording_, run.call);
    }
  }

 private:
  using Calls = std::vector<std::size_t>;

  const RecordedCall& call(std::size_t i) const { return recording_.calls[i]; }

  /// Returns the iteration's kernels that neither produce nor consume the copy's data, directly or
  /// through other operations. An unknown kernel may use any memory.
  Calls independent_kernels(std::size_t copy) {
    Calls independent;
    const std::size_t calls = recording_.calls.size();
    Calls before{copy}, after{copy};
    for (std::size_t i = copy; i-- > 0;) sort_in(i, before, independent);
    for (std::size_t i = copy + 1; i < calls; ++i) sort_in(i, after, independent);
    return independent;
  }

  void sort_in(std::size_t one, Calls& dependent, Calls& independent) {
    if (!is_operation(call(one).kind) || pairs_ > most_pairs) return;
    pairs_ += dependent.size();
    const bool depends = std::ranges::any_of(
        dependent, [&](std::size_t other) { return may_conflict(call(one), call(other)); });
    if (depends) {
      dependent.push_back(one);
    } else if (call(one).kind == CallKind::kernel) {
      independent.push_back(one);
    }
  }

  /// Returns true if nothing orders the copy and one of the kernels: the host issued them too late.
  bool any_unordered(std::size_t copy, const Calls& kernels) const {
    const std::size_t second = recording_.calls.size();  // in the middle repetition
    return std::ranges::any_of(kernels, [&](std::size_t kernel) {
      const auto [earlier, later] = std::minmax(copy, kernel);
      return !schedule_.order().ordered(second + earlier, second + later);
    });
  }

  Obstacle obstacle_of(std::size_t copy, const Calls& beside) const {
    const RecordedCall& one = call(copy);
    if (is_pageable(one, recording_)) return Obstacle::pageable;
    if (one.synchronous) return Obstacle::synchronous;
    const auto in_its_stream = [&](std::size_t k) { return call(k).stream == one.stream; };
    if (std::ranges::all_of(beside, in_its_stream)) return Obstacle::same_stream;
    const auto in_legacy = [&](std::size_t k) { return in_legacy_stream(call(k), recording_); };
    const auto follows_by_rule = [&](std::size_t k) {
      return schedule_.order_of(k).by_legacy.has_value();
    };
    if (recording_.streams[one.stream].kind == StreamKind::non_blocking) return Obstacle::order;
    const bool by_rule = in_legacy_stream(one, recording_) || schedule_.order_of(copy).by_legacy;
    return by_rule || std::ranges::all_of(beside, in_legacy) ||
                   std::ranges::all_of(beside, follows_by_rule)
               ? Obstacle::legacy
               : Obstacle::order;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  Intervals kernels_running_;
  Calls kernels_;
  std::size_t pairs_ = 0;
};

}  // namespace

bool may_conflict(const RecordedCall& one, const RecordedCall& other) {
  return may_use_any(one) || may_use_any(other) || conflict(one, other);
}

std::string wait_before(const ApplicationRecording& recording, std::size_t call) {
  const std::size_t calls = recording.calls.size();
  for (std::size_t i = call + calls; --i > call;) {
    const RecordedCall& one = recording.calls[i % calls];
    if (!acts_in_stream(one.kind) || one.stream != recording.calls[call].stream) continue;
    if (is_operation(one.kind)) break;
    if (one.kind == CallKind::wait_event) {
      return fmt::format("{} ({})", function_of(one), place_of(recording, i % calls));
    }
  }
  return "";
}

void add_legacy_delays(const IterationSchedule& schedule, FindingGroups& groups) {
  const ApplicationRecording& recording = schedule.recording();
  if (recording.contexts > 1) return;  // each context has its own legacy stream
  LegacyDelays delays(schedule);
  std::map<std::size_t, std::pair<double, std::size_t>> by_cause;  // time, and the first late call
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const double us = delays.of(i);
    if (us <= 0) continue;
    const IssuedCall& order = schedule.order_of(i);
    std::size_t cause = *order.by_legacy % recording.calls.size();
    for (const Predecessor& one : order.after) {  // an event behind those delays nothing
      const std::size_t before = one.place % recording.calls.size();
      const bool legacy = one.by == OrderedBy::legacy;
      if (legacy && in_legacy_stream(recording.calls[before], recording)) cause = before;
    }
    by_cause.try_emplace(cause, 0, i).first->second.first += us;
  }
  for (const auto& [cause, delay] : by_cause) {
    const bool event = recording.calls[cause].kind == CallKind::record_event;
    CallFinding& finding = groups.add(event ? FindingKind::legacy_event : FindingKind::legacy_wait,
                                      cause, delay.first, delay.first);
    if (finding.delayed.empty()) {
      finding.delayed = operation_name(recording.calls[delay.second], recording);
    }
  }
}

void add_copies_without_overlap(const IterationSchedule& schedule, FindingGroups& groups) {
  Copies copies(schedule);
  std::vector<bool> seen(schedule.recording().calls.size());
  for (const OperationRun& run : schedule.steady_runs()) {
    if (run.start_us < 0 || seen[run.call]) continue;
    seen[run.call] = true;
    copies.examine(run, groups);
  }
}

}  // namespace trilane
