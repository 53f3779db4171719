#include "common/application/diagnosis/time_spent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace trilane {
namespace {

/// Times are medians, so an operation may seem to end a little after the wait for it.
constexpr double path_jitter_us = 1;

PathKind kind_of(CallKind kind) {
  if (kind == CallKind::kernel) return PathKind::kernel;
  if (kind == CallKind::copy) return PathKind::copy;
  return kind == CallKind::memset ? PathKind::memset : PathKind::other_operation;
}

class WayBack {
 public:
  explicit WayBack(const IterationSchedule& schedule)
      : recording_(schedule.recording()), schedule_(schedule) {}

  std::vector<PathPart> parts() {
    now_ = schedule_.period_us();
    const auto& all = schedule_.runs();
    const auto last = std::ranges::max_element(all, {}, &OperationRun::end_us);
    if (last != all.end() && last->end_us > now_) {
      now_ = last->end_us;
      at_ = *last;
    }
    begin_ = now_ - schedule_.period_us();
    while (now_ > begin_ && steps_-- > 0) at_ ? leave_operation() : leave_host();
    return sorted();
  }

 private:
  /// Adds the time from `from` to now to that part of the path, and moves now to `from`.
  void go_to(double from, PathKind kind, const std::string& name) {
    from = std::max(from, begin_);
    if (from >= now_) return;
    PathPart& part = parts_[{kind, name}];
    ++part.count;
    part.us += now_ - from;
    now_ = from;
  }

  void leave_operation() {
    const OperationRun run = *at_;
    const RecordedCall& call = recording_.calls[run.call];
    const std::string name = operation_name(call, recording_);
    go_to(run.start_us, kind_of(call.kind), name);
    const double issued = std::min(run.returned_us, run.start_us);
    const auto before = schedule_.last_before(run.call, schedule_.repetition_of(run), now_);
    const auto engine = schedule_.on_engine_before(run);
    const double ordered = before ? before->end_us : -HUGE_VAL;
    const double freed = engine ? engine->end_us : -HUGE_VAL;
    if (freed > std::max(ordered, issued)) {
      go_to(freed, PathKind::engine, name);
      at_ = engine;
    } else if (ordered >= issued && !schedule_.issued_late(ordered, run)) {
      go_to(ordered, PathKind::order, name);
      at_ = before;
    } else {
      go_to(issued, PathKind::launch_latency, name);
      at_.reset();
      from_operation_ = true;
    }
  }

  void leave_host() {
    const double period = schedule_.period_us();
    const auto& host = schedule_.host();
    double repetition = std::ceil(now_ / period) - 1;
    auto span = std::ranges::lower_bound(host, now_ - repetition * period, {}, &HostSpan::end_us);
    if (span == host.end()) --span;
    const double start = span->start_us + repetition * period;
    if (!span->call) {
      go_to(std::min(start, std::nextafter(now_, begin_)), PathKind::own_code, "");
    } else {
      leave_call(*span->call, repetition, std::min(start, std::nextafter(now_, begin_)));
    }
    from_operation_ = false;
  }

  void leave_call(std::size_t call, double repetition, double start) {
    const std::string name = function_of(recording_.calls[call]);
    const auto waited = from_operation_ ? std::nullopt : waited_for(call, repetition);
    if (waited && waited->end_us > start) {
      go_to(std::min(waited->end_us, now_), PathKind::wait_return, name);
      at_ = waited;
    } else {
      go_to(start, PathKind::host_call, name);
    }
  }

  /// Returns the operation that ended last among those that the call waited for.
  std::optional<OperationRun> waited_for(std::size_t call, double repetition) const {
    switch (host_wait_of(recording_.calls[call], recording_)) {
      case HostWait::nothing: return std::nullopt;
      case HostWait::itself: {
        const auto own = schedule_.run_of(call, repetition);
        return own && own->end_us <= now_ + path_jitter_us ? own : std::nullopt;
      }
      case HostWait::before:
      case HostWait::stream:
      case HostWait::event:
      case HostWait::stream_and_event:
      case HostWait::everything: break;
    }
    return schedule_.last_before(call, repetition, now_ + path_jitter_us);
  }

  std::vector<PathPart> sorted() const {
    std::vector<PathPart> sorted;
    for (auto [key, part] : parts_) {
      part.kind = key.first;
      part.name = key.second;
      part.share = schedule_.period_us() > 0 ? part.us / schedule_.period_us() : 0;
      sorted.push_back(std::move(part));
    }
    std::ranges::stable_sort(sorted, std::greater{}, &PathPart::us);
    return sorted;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  std::map<std::pair<PathKind, std::string>, PathPart> parts_;
  double now_ = 0, begin_ = 0;
  std::optional<OperationRun> at_;  // absent: on the host
  bool from_operation_ = false;     // now_ is where an operation was issued
  std::size_t steps_ = 10 * recording_.calls.size() + 100;
};

}  // namespace

std::vector<PathPart> critical_path(const IterationSchedule& schedule) {
  return WayBack(schedule).parts();
}

}  // namespace trilane
