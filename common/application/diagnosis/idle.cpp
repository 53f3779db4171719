#include "common/application/diagnosis/time_spent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trilane {
namespace {

/// Adds times up by use.
class Shares {
 public:
  void add(TimeUse use, const std::string& name, double us) {
    NamedCost& cost = costs_[{use, name}];
    ++cost.count;
    cost.us += us;
  }

  /// Returns the shares by use, longest first, as are the names of each. Shares are relative to
  /// `whole_us`.
  std::vector<TimeShare> sorted(double whole_us) const {
    std::vector<TimeShare> shares;
    for (const auto& [key, cost] : costs_) {  // by use
      if (shares.empty() || shares.back().use != key.first) {
        shares.push_back({.use = key.first, .us = 0, .share = 0, .count = 0, .calls = {}});
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
      : recording_(schedule.recording()), schedule_(schedule) {}

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
  /// Returns a time from 0 to the period at which an operation starts and none runs, or else any
  /// start.
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

  /// Accounts for what the host does from `from` to `to`.
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
  Shares shares_;
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

}  // namespace trilane
