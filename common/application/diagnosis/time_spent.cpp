#include "common/application/diagnosis/time_spent.hpp"

#include "common/application/diagnosis/traced_costs.hpp"
#include "common/application/iteration/call_traits.hpp"

namespace trilane {

namespace {

class Shares {
 public:
  void add(TimeUse use, const std::string& name, double us) {
    NamedCost& cost = costs_[{use, name}];
    ++cost.count;
    cost.us += us;
  }

  /// Returns the shares of `whole_us` by use, and the names of each, longest first.
  std::vector<TimeShare> sorted(double whole_us) const {
    std::vector<TimeShare> shares;
    for (const auto& [key, cost] : costs_) {  // by use
      if (shares.empty() || shares.back().use != key.first) {
        shares.push_back({.use = key.first});
      }
      TimeShare& share = shares.back();
      share.us += cost.us;
      share.count += cost.count;
      share.calls.push_back({.name = key.second, .count = cost.count, .us = cost.us});
    }
    for (TimeShare& share : shares) {
      share.share = whole_us > 0 ? share.us / whole_us : 0;
      std::ranges::stable_sort(share.calls, std::greater{}, &NamedCost::us);
    }
    std::ranges::stable_sort(shares, std::greater{}, &TimeShare::us);
    return shares;
  }

 private:
  std::map<std::pair<TimeUse, std::string>, NamedCost> costs_;
};

TimeUse cause_of(OrderedBy by) {
  switch (by) {
    case OrderedBy::stream: return TimeUse::stream_order;
    case OrderedBy::event: return TimeUse::event_order;
    case OrderedBy::legacy: return TimeUse::legacy_order;
    case OrderedBy::graph: return TimeUse::graph_order;
  }
  return TimeUse::stream_order;
}

constexpr double rounding_us = 1e-6;

class Gaps {
 public:
  explicit Gaps(const IterationSchedule& schedule)
      : recording_(schedule.recording()),
        schedule_(schedule),
        held_(starts_held_by_host_functions(schedule)) {}

  DeviceUse use() {
    const double period = schedule_.period_us();
    double busy_until = schedule_.repeats() ? first_start() : 0;
    const double begin = busy_until, end = begin + period;
    double idle = 0;
    for (const OperationRun& run : schedule_.steady_runs()) {
      if (run.start_us > busy_until && run.start_us <= end + rounding_us) {
        idle += run.start_us - busy_until;
        explain(busy_until, run);
      }
      busy_until = std::max(busy_until, run.end_us);
    }
    if (!schedule_.repeats() && busy_until < end) {
      idle += end - busy_until;
      explain_host(busy_until, end);
    }
    return {.busy_us = period - idle, .idle_us = idle, .causes = shares_.sorted(period)};
  }

 private:
  /// Returns a time in the period at which an operation starts and none runs, or else any start.
  double first_start() const {
    double busy_until = 0;
    const auto runs = schedule_.steady_runs();
    for (const OperationRun& run : runs) {
      if (run.start_us >= schedule_.period_us()) break;
      if (run.start_us >= busy_until && run.start_us >= 0) return run.start_us;
      busy_until = std::max(busy_until, run.end_us);
    }
    return 0;
  }

  void explain(double from, const OperationRun& next) {
    if (const auto held = held_start(held_, next.call)) {
      const double begin = std::max(from, held->from_us + next.start_us - held->next.start_us);
      explain_host(from, begin);
      const std::string name = function_of(recording_.calls[held->functions.front()]);
      return shares_.add(TimeUse::host_function, name, next.start_us - begin);
    }
    if (schedule_.issued_late(from, next)) return explain_lateness(from, next);
    const double issued = std::clamp(next.issued_us, from, next.start_us);
    const double returned = std::clamp(next.returned_us, issued, next.start_us);
    explain_host(from, issued);
    const RecordedCall& call = recording_.calls[next.call];
    if (returned > issued)
      shares_.add(use_of(call, recording_), function_of(call), returned - issued);
    if (next.start_us <= returned) return;
    const bool was_queued = next.returned_us <= from;
    shares_.add(was_queued ? order_before(next) : TimeUse::launch_latency,
                operation_name(call, recording_), next.start_us - returned);
  }

  void explain_lateness(double from, const OperationRun& next) {
    explain_host(from - schedule_.latency_us(), std::min(next.issued_us, next.start_us));
    const double rest_us = next.start_us - next.issued_us - schedule_.latency_us();
    if (rest_us <= rounding_us) return;
    shares_.add(TimeUse::launch_latency, operation_name(recording_.calls[next.call], recording_),
                rest_us);
  }

  void explain_host(double from, double to) {
    schedule_.each_span(from, to, [&](const HostSpan& span, double begin, double end) {
      shares_.add(schedule_.use_of(span), schedule_.name_of(span), end - begin);
    });
  }

  /// Returns what orders an operation behind the predecessor that ends last.
  TimeUse order_before(const OperationRun& run) const {
    TimeUse use = TimeUse::stream_order;
    double latest = -HUGE_VAL;
    for (const Predecessor& one : schedule_.order_of(run.call).after) {
      const auto before = schedule_.run_at(one.place);
      if (!before || before->end_us <= latest) continue;
      latest = before->end_us;
      use = cause_of(one.by);
    }
    return use;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  const std::vector<HeldStart> held_;
  Shares shares_;
};

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
      : recording_(schedule.recording()),
        schedule_(schedule),
        held_(starts_held_by_host_functions(schedule)) {}

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
  struct Pieces {
    PathPart part;
    double longest_us = 0;
    std::size_t call = 0;
  };

  /// Adds the time from `from` to now to that part of the path, and moves now to `from`.
  void go_to(double from, PathKind kind, const std::string& name, std::size_t call) {
    from = std::max(from, begin_);
    if (from >= now_) return;
    auto& [part, longest_us, of] = parts_[{kind, name}];
    ++part.count;
    part.us += now_ - from;
    if (now_ - from >= longest_us) {
      longest_us = now_ - from;
      of = call;
    }
    now_ = from;
  }

  void leave_operation() {
    const OperationRun run = *at_;
    const RecordedCall& call = recording_.calls[run.call];
    const std::string name = operation_name(call, recording_);
    go_to(run.start_us, kind_of(call.kind), name, run.call);
    const auto held = held_start(held_, run.call);
    if (held && held->before && held->next.issued_us <= held->before->end_us) {
      const double shift_us = run.start_us - held->next.start_us;
      go_to(held->from_us + shift_us, PathKind::host_function,
            function_of(recording_.calls[held->functions.front()]), held->functions.front());
      at_ = shifted(*held->before, shift_us);
      return go_to(at_->end_us, PathKind::order, name, run.call);
    }
    const double issued = std::min(run.returned_us, run.start_us);
    const auto before =
        schedule_.last_before(run.call, schedule_.repetition_of(run), now_ + path_jitter_us);
    const auto engine = schedule_.on_engine_before(run);
    const double ordered = before ? before->end_us : -HUGE_VAL;
    const double freed = engine ? engine->end_us : -HUGE_VAL;
    if (freed > std::max(ordered, issued)) {
      go_to(freed, PathKind::engine, name, run.call);
      at_ = engine;
    } else if (ordered >= issued && !schedule_.issued_late(ordered, run)) {
      go_to(ordered, PathKind::order, name, run.call);
      at_ = before;
    } else {
      go_to(issued, PathKind::launch_latency, name, run.call);
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
      go_to(std::min(start, std::nextafter(now_, begin_)), PathKind::own_code, "", span->before);
    } else {
      leave_call(*span->call, repetition, std::min(start, std::nextafter(now_, begin_)));
    }
    from_operation_ = false;
  }

  void leave_call(std::size_t call, double repetition, double start) {
    const std::string name = function_of(recording_.calls[call]);
    const auto waited = from_operation_ ? std::nullopt : waited_for(call, repetition);
    if (waited && waited->end_us > start) {
      go_to(std::min(waited->end_us, now_), PathKind::wait_return, name, call);
      at_ = waited;
    } else {
      go_to(start, PathKind::host_call, name, call);
    }
  }

  /// Returns the operation that ended last among those that the call waited for.
  std::optional<OperationRun> waited_for(std::size_t call, double repetition) const {
    const HostWait wait = host_wait_of(recording_.calls[call], recording_);
    if (wait == HostWait::nothing) return std::nullopt;
    if (wait != HostWait::itself) {
      return schedule_.last_before(call, repetition, now_ + path_jitter_us);
    }
    const auto own = schedule_.run_of(call, repetition);
    return own && own->end_us <= now_ + path_jitter_us ? own : std::nullopt;
  }

  std::vector<PathPart> sorted() const {
    std::vector<PathPart> sorted;
    for (auto [key, pieces] : parts_) {
      PathPart& part = pieces.part;
      part.kind = key.first;
      part.name = key.second;
      part.share = schedule_.period_us() > 0 ? part.us / schedule_.period_us() : 0;
      part.place = place_of(recording_, pieces.call);
      sorted.push_back(std::move(part));
    }
    std::ranges::stable_sort(sorted, std::greater{}, &PathPart::us);
    return sorted;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  const std::vector<HeldStart> held_;
  std::map<std::pair<PathKind, std::string>, Pieces> parts_;
  double now_ = 0, begin_ = 0;
  std::optional<OperationRun> at_;  // absent: on the host
  bool from_operation_ = false;     // now_ is where an operation was issued
  std::size_t steps_ = 10 * recording_.calls.size() + 100;
};

}  // namespace

std::vector<TimeShare> host_use(const IterationSchedule& schedule) {
  Shares shares;
  for (const HostSpan& span : schedule.host()) {
    shares.add(schedule.use_of(span), schedule.name_of(span), span.end_us - span.start_us);
  }
  return shares.sorted(schedule.period_us());
}

DeviceUse device_use(const IterationSchedule& schedule) { return Gaps(schedule).use(); }

std::vector<PathPart> critical_path(const IterationSchedule& schedule) {
  return WayBack(schedule).parts();
}

}  // namespace trilane
