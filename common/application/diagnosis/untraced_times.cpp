#include "common/application/diagnosis/time_spent.hpp"

#include "common/application/diagnosis/traced_costs.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/call_segments.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

constexpr std::size_t settling = 6;  // repetitions until the host has adapted to the device's pace
/// Duration of a wait for finished work; measured on an H200.
constexpr double least_wait_us = 0.35;
/// The device's period counts as longer than the host's beyond this ratio.
constexpr double longer_period = 1.001;
constexpr double farthest_ahead = 16;

/// The share by which the reconstructed time may differ from the measured one.
constexpr double most_off = 0.2;
/// If it is shorter by more than this, engines may take longer to follow each other.
constexpr double short_by = 0.05;
constexpr int bisections = 10;

bool has_own_times(const ApplicationRecording& recording) {
  return has_host_order(recording) && std::ranges::all_of(recording.calls, [](const auto& call) {
           return call.own_us && call.call_us;
         });
}

/// Returns the time after the last call: 0 unless a range is the iteration. A repeating iteration
/// ends with its last call, a range may go on after it.
double tail_us(const IterationSchedule& traced) {
  if (traced.recording().found != Found::range) return 0;
  const RecordedCall& last = traced.recording().calls.back();
  return std::max(0.0, traced.period_us() - last.start_us - last.host_us);
}

/// The busy times of an engine, which runs one operation at a time in the order of readiness.
class CopyCalendar {
 public:
  /// Takes the engine for `length_us`, from the first time at or after `ready_us` at which it is
  /// free for that long. Returns that time.
  double take(double ready_us, double length_us) {
    const auto ends = [](const auto& span) { return span.second; };
    auto next = std::ranges::upper_bound(taken_, ready_us, {}, ends);
    for (; next != taken_.end() && next->first < ready_us + length_us; ++next) {
      ready_us = next->second;
    }
    taken_.insert(next, {ready_us, ready_us + length_us});
    return ready_us;
  }

 private:
  std::vector<std::pair<double, double>> taken_;  // by start; none overlap
};

/// Walks through an iteration's calls as the host would untraced, until repetitions are the same.
class UntracedWalk {
 public:
  /// Every call needs own_us and call_us. For `gap_share` see TracedCosts.
  UntracedWalk(const IterationSchedule& traced, const TracedCosts& costs, double gap_share)
      : recording_(traced.recording()),
        traced_(traced),
        costs_(costs),
        gaps_us_(host_gaps(recording_)),
        tail_us_(tail_us(traced)),
        gap_share_(gap_share) {
    settle();
  }

  /// Returns the time between the starts of the last two repetitions.
  double period_us() const { return std::max(host_period_us(), device_period_us()); }
  /// Returns the last repetition's times, from its start.
  std::vector<OperationRun> iteration() const {
    return transformed(repetitions_.back(),
                       [this](const OperationRun& one) { return shifted(one, -begun_us_.back()); });
  }

 private:
  /// Walks until repetitions no longer differ. A host that does not wait runs ahead of a slower
  /// device until the driver accepts no more work. From then on, each call returns once the device
  /// has progressed. The exact lead does not matter as long as the host waits for no launch; the
  /// clock is set back so that the host starts with that lead.
  void settle() {
    while (repetitions_.size() < settling) repeat();
    const double period = device_period_us();
    if (period <= longer_period * host_period_us()) return;
    const double launches = std::ceil(longest_latency_us / period);
    const auto ahead = static_cast<std::size_t>(std::min(2 + launches, farthest_ahead));
    while (repetitions_.size() < ahead) repeat();
    host_us_ -= static_cast<double>(ahead + 1) * period;
    ahead_ = ahead;
    for (std::size_t i = 0; i < settling; ++i) repeat();
  }

  void repeat() {
    begun_us_.push_back(host_us_);
    repetitions_.emplace_back(recording_.calls.size());
    for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
      OperationRun& times = repetitions_.back()[i];
      const RecordedCall& call = recording_.calls[i];
      times.issued_us = host_us_ + gaps_us_[i];
      if (is_operation(call.kind)) run(i, times);
      times.returned_us = returned_us(i, times);
      host_us_ = times.returned_us;
    }
    host_us_ += tail_us_;
  }

  void run(std::size_t call, OperationRun& times) {
    const RecordedEngine engine = traced_.engine(call);
    const double length_us =
        is_timed(call) ? *recording_.calls[call].device_us : costs_.hold_us(call);
    times.start_us = ready_us(call, times.issued_us);
    if (is_timed(call) && is_copy(engine) && !costs_.overlaps(engine)) {
      times.start_us = engines_[engine].take(times.start_us, length_us);
    }
    times.end_us = times.start_us + length_us;
  }

  double ready_us(std::size_t call, double issued_us) const {
    if (!is_timed(call)) return std::max(issued_us, ordered_us(call));
    double ready = issued_us + costs_.launch_us(call);
    const auto behind = [&](std::size_t place) {
      const std::size_t before = place % recording_.calls.size();
      const double gap_us =
          is_timed(before) ? costs_.gap_us(traced_.engine(before), traced_.engine(call), gap_share_)
                           : 0;
      ready = std::max(ready, end_us(place) + gap_us);
    };
    for (const Predecessor& one : traced_.order_of(call).after) behind(one.place);
    if (const auto holder = costs_.held_up_by(call)) behind(*holder);
    return ready;
  }

  double returned_us(std::size_t call, const OperationRun& times) const {
    const RecordedCall& recorded = recording_.calls[call];
    const double unhindered = times.issued_us + *recorded.call_us;
    const HostWait wait = host_wait_of(recorded, recording_);
    if (wait == HostWait::nothing || recorded.kind == CallKind::query) {
      const bool held = ahead_ && is_operation(recorded.kind);
      if (!held) return unhindered;
      return std::max(unhindered, repetitions_[repetitions_.size() - 1 - *ahead_][call].end_us);
    }
    const double awaited = wait == HostWait::itself ? times.end_us : ordered_us(call);
    if (is_operation(recorded.kind) || frees(recorded.kind)) {
      return std::max(times.issued_us, awaited) + costs_.return_us(call);
    }
    const double least = knows_what_it_waits_for(call) ? std::min(*recorded.call_us, least_wait_us)
                                                       : *recorded.call_us;
    return std::max(times.issued_us + least, awaited + costs_.return_us(call));
  }

  double ordered_us(std::size_t call) const {
    double last = -HUGE_VAL;
    for (const Predecessor& one : traced_.order_of(call).after) {
      last = std::max(last, end_us(one.place));
    }
    return last;
  }

  bool knows_what_it_waits_for(std::size_t call) const {
    const auto& after = traced_.order_of(call).after;
    return !after.empty() && std::ranges::all_of(after, [&](const Predecessor& one) {
      return is_timed(one.place % recording_.calls.size());
    });
  }

  double end_us(std::size_t place) const {
    const std::size_t calls = recording_.calls.size();
    if (place >= calls) return repetitions_.back()[place - calls].end_us;
    return repetitions_.size() < 2 ? -HUGE_VAL
                                   : repetitions_[repetitions_.size() - 2][place].end_us;
  }

  double host_period_us() const { return host_us_ - begun_us_.back(); }

  double device_period_us() const {
    const auto& now = repetitions_.back();
    const auto& before = repetitions_[repetitions_.size() - 2];
    double longest = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (is_timed(i)) longest = std::max(longest, now[i].end_us - before[i].end_us);
    }
    return longest;
  }

  bool is_timed(std::size_t call) const {
    return recording_.calls[call].device_start_us && recording_.calls[call].device_us;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& traced_;
  const TracedCosts& costs_;
  const std::vector<double> gaps_us_;  ///< the host's time before each call
  const double tail_us_;               ///< the application's own time after the last call
  const double gap_share_;
  double host_us_ = 0;
  std::vector<std::vector<OperationRun>> repetitions_;  // by call, also without an operation
  std::vector<double> begun_us_;                        // the repetitions
  std::map<RecordedEngine, CopyCalendar> engines_;
  /// Number of repetitions by which the host may be ahead of the device; absent: it never is.
  std::optional<std::size_t> ahead_;
};

/// Returns the share of the gaps' range at which an iteration takes that time, or comes nearest to
/// it. `period_us`: an iteration's time by that share.
double share_for(double wanted_us, auto period_us) {
  double low = 0, high = 1;
  if (period_us(high) <= wanted_us) return high;
  for (int i = 0; i < bisections; ++i) {
    const double half = (low + high) / 2;
    (period_us(half) <= wanted_us ? low : high) = half;
  }
  return low;
}

void put(const UntracedWalk& walk, ApplicationRecording& recording) {
  const auto times = walk.iteration();
  for (std::size_t i = 0; i < times.size(); ++i) {
    RecordedCall& call = recording.calls[i];
    call.start_us = times[i].issued_us;
    call.host_us = times[i].returned_us - times[i].issued_us;
    if (call.device_start_us && call.device_us) call.device_start_us = times[i].start_us;
  }
  recording.iteration_us = {walk.period_us()};
}

}  // namespace

ApplicationRecording with_starts(ApplicationRecording recording, const HappensBefore& order) {
  const std::size_t calls = recording.calls.size();
  std::vector<double> ends_us(calls);
  for (std::size_t i = 0; i < calls; ++i) {
    RecordedCall& call = recording.calls[i];
    double start_us = call.start_us + call.host_us;
    for (const Predecessor& one : order.at(calls + i).after) {
      if (one.place >= calls) start_us = std::max(start_us, ends_us[one.place - calls]);
    }
    if (call.device_us && !call.device_start_us) call.device_start_us = start_us;
    ends_us[i] = call.device_start_us.value_or(start_us) + call.device_us.value_or(0);
  }
  return recording;
}

UntracedTimes untraced_times(const ApplicationRecording& recording, const HappensBefore& order) {
  UntracedTimes times{recording, {}};
  const IterationSchedule traced(recording, order);
  if (!traced.repeats() || !traced.has_device_times() || recording.watched_us.empty()) return times;
  const double watched = median(recording.watched_us);
  Reconstruction& found = times.reconstruction.emplace();
  found.watched_us = watched;
  found.traced_us = traced.period_us();
  if (!has_own_times(recording)) return times;
  const TracedCosts costs(traced);
  const auto walk_with = [&](double gap_share) { return UntracedWalk(traced, costs, gap_share); };
  const auto period_us = [&](double gap_share) { return walk_with(gap_share).period_us(); };
  const double least = period_us(0);
  const bool is_short = least < (1 - short_by) * watched;
  const UntracedWalk walk = walk_with(is_short ? share_for(watched, period_us) : 0);
  found.period_us = walk.period_us();
  found.fitted = walk.period_us() > least;
  found.used = std::abs(walk.period_us() - watched) <= most_off * watched;
  if (found.used) put(walk, times.recording);
  return times;
}

}  // namespace trilane
