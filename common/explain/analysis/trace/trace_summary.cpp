#include "common/explain/analysis/trace/trace_summary.hpp"

namespace trilane {
namespace {

/// A trace does not show when a graph launch submits each node. A node that starts before the
/// launch returns counts as waiting for the host, unless the operation before it ended less than
/// this long ago. The device itself takes 0.5 us between kernels, and up to 2 us with a copy.
constexpr double node_latency_us = 2.5;

class Waits {
 public:
  explicit Waits(const TracedPass& pass) {
    for (const TracedCall& call : pass.records.calls) returned_[call.id] = call.end_us;
    for (const TracedOperation& o : pass.records.operations) {
      ends_[o.label.lane].push_back(o.end_us);
      all_ends_.push_back(o.end_us);
      if (o.graph_node == 0) stream_ends_[o.stream].push_back(o.end_us);
    }
    std::ranges::sort(all_ends_);
    for (auto* group : {&ends_, &stream_ends_}) {
      for (auto& [number, ends] : *group) std::ranges::sort(ends);
    }
  }

  /// Returns the end of the previous operation on its lane, or on any lane if it is for the whole
  /// pass; `otherwise` without one.
  double lane_ready_us(const TracedOperation& next, double otherwise) const {
    if (next.label.lane == Label::none) return last_before(all_ends_, next.start_us, otherwise);
    const double ready = last_before(ends_.at(next.label.lane), next.start_us, otherwise);
    const auto whole = ends_.find(Label::none);
    return whole == ends_.end() ? ready : last_before(whole->second, next.start_us, ready);
  }

  /// Returns the end of the previous operation on its stream; `otherwise` without one, and for a
  /// graph's node, which waits for edges only.
  double stream_ready_us(const TracedOperation& next, double otherwise) const {
    if (next.graph_node != 0) return otherwise;
    return last_before(stream_ends_.at(next.stream), next.start_us, otherwise);
  }

  /// Returns the time at which the host had issued it.
  double issued_us(const TracedOperation& next, double ready_us) const {
    const auto found = returned_.find(next.call);
    if (found == returned_.end()) return next.start_us;
    if (next.start_us >= found->second) return found->second;
    const bool by_itself = next.graph_node != 0 && next.start_us - ready_us <= node_latency_us;
    return by_itself ? ready_us : next.start_us;
  }

 private:
  static double last_before(const std::vector<double>& ends, double us, double otherwise) {
    const auto after = std::ranges::upper_bound(ends, us);
    return after == ends.begin() ? otherwise : std::max(otherwise, *std::prev(after));
  }

  std::unordered_map<std::uint64_t, double> returned_;               // by call
  std::map<std::uint32_t, std::vector<double>> ends_, stream_ends_;  // by lane; ascending
  std::vector<double> all_ends_;
};

/// Adds the gap before `next`. The part until host and dependency are both ready counts for the
/// later of the two, the rest as latency.
void add_gap(TimelineIdle& idle, double from, const TracedOperation& next, const Waits& waits) {
  const double ready = waits.stream_ready_us(next, waits.lane_ready_us(next, from));
  const double issued = waits.issued_us(next, ready);
  const double last = std::clamp(std::max(ready, issued), from, next.start_us);
  (issued > ready ? idle.host_us : idle.dependency_us) += last - from;
  idle.latency_us += next.start_us - last;
}

Intervals running(const OperationList& operations, const TracedOperation* own = nullptr) {
  Intervals found;
  for (const TracedOperation* operation : operations) {
    if (operation != own) found += Interval(operation->start_us, operation->end_us);
  }
  return found;
}

EngineUse use_of(const std::string& engine, const OperationList& operations, const TracedPass& pass,
                 const Waits& waits) {
  const double first = pass.first_start_us(), last = pass.last_end_us();
  const double busy_us = length(running(operations));
  EngineUse use{.busy = {engine, busy_us, busy_us / (last - first)}, .idle = {.engine = engine}};
  double until = first;
  for (const TracedOperation* next : operations) {
    if (next->start_us > until) add_gap(use.idle, until, *next, waits);
    until = std::max(until, next->end_us);
  }
  use.idle.done_us = last - until;
  return use;
}

std::string engine_of(const TracedOperation& operation) {
  if (!operation.copy_engine) return "compute";
  return operation.activity == Activity::copy_out ? "copy out" : "copy in";
}

using Lanes = std::map<std::uint32_t, Intervals>;

Intervals running(const Lanes& lanes) {
  Intervals all;
  for (const auto& [lane, intervals] : lanes) all += intervals;
  return all;
}

Intervals both(const Lanes& of, const Lanes& with) {
  Intervals all;
  for (const auto& [lane, intervals] : of) {
    for (const auto& [other, more] : with) {
      if (lane != other) all += intervals & more;
    }
  }
  return all;
}

std::string words(const std::vector<Count>& counts) {
  std::vector<std::string> parts;
  for (const Count& count : counts) parts.push_back(fmt::format("{} {}", count.value, count.name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void ensure_whole(const TracedPass& pass, const std::vector<Count>& planned) {
  if (pass.records.lost > 0) {
    throw std::runtime_error(fmt::format("{} records of its trace were lost", pass.records.lost));
  }
  if (const auto seen = operations_of(pass); seen != planned) {
    throw std::runtime_error(
        fmt::format("its trace shows {}, but its plan is {}", words(seen), words(planned)));
  }
  if (pass.records.operations.empty() || pass.markers.size() != 2) {
    throw std::runtime_error("its trace lacks its operations or the markers around them");
  }
}

/// Places the events on the tracer's clock: the second by the marker behind it, the first by its
/// own marker. The two are independent, so their distance checks the trace against the events.
void add_times(Timeline& timeline, const TracedPass& pass, double events_more_us) {
  const double first_event = pass.markers.front().end_us - events_more_us;
  const double second_event = pass.markers.back().end_us - pass.behind_us;
  timeline.event_us.push_back(pass.event_us);
  timeline.before_us.push_back(pass.first_start_us() - first_event);
  timeline.span_us.push_back(pass.last_end_us() - pass.first_start_us());
  timeline.after_us.push_back(second_event - pass.last_end_us());
}

}  // namespace

std::map<std::string, OperationList> by_engine(const TracedPass& pass) {
  std::map<std::string, OperationList> found;
  for (const TracedOperation& operation : pass.records.operations) {
    found[engine_of(operation)].push_back(&operation);
  }
  return found;
}

std::vector<EngineUse> engine_uses(const TracedPass& pass) {
  const auto engines = by_engine(pass);
  const Waits waits(pass);
  std::vector<EngineUse> uses;
  for (const char* engine : engine_names) {
    const auto found = engines.find(engine);
    if (found != engines.end()) uses.push_back(use_of(engine, found->second, pass, waits));
  }
  return uses;
}

std::vector<TimelineWaits> waits_of(const TracedPass& pass) {
  const auto engines = by_engine(pass);
  const Waits waits(pass);
  std::map<Activity, TimelineWaits> found;
  for (const TracedOperation& next : pass.records.operations) {
    const double ready = waits.lane_ready_us(next, pass.first_start_us());
    const double issued = std::clamp(waits.issued_us(next, ready), ready, next.start_us);
    const Intervals left(Interval(issued, next.start_us));
    const Intervals behind(Interval(issued, waits.stream_ready_us(next, issued)));
    const Intervals used = running(engines.at(engine_of(next)), &next);
    const double engine = length(left & used);
    const double dependency = length(behind) - length(behind & used);
    TimelineWaits& sums = found[next.activity];
    sums.activity = name_of(next.activity);
    sums.host_us += issued - ready;
    sums.engine_us += engine;
    sums.dependency_us = sums.dependency_us.value_or(0) + dependency;
    sums.latency_us += length(left) - engine - dependency;
  }
  return transformed(found, [](const auto& of) { return of.second; });
}

std::vector<TimelineOverlap> overlaps(const TracedPass& pass) {
  std::map<Activity, Lanes> activities;
  for (const TracedOperation& o : pass.records.operations) {
    activities[o.activity][o.label.lane] += Interval(o.start_us, o.end_us);
  }
  std::vector<TimelineOverlap> found;
  for (const auto& [of, lanes] : activities) {
    const double busy = length(running(lanes));
    for (const auto& [with, others] : activities) {
      const double us = length(both(lanes, others));
      found.push_back({name_of(of), name_of(with), us, busy > 0 ? us / busy : 0});
    }
  }
  return found;
}

std::vector<Count> planned_operations(const Plan& plan, const Workload& workload) {
  const Operations planned = operations_of(plan.model, workload);
  return {{"copies", planned.copies}, {"memsets", planned.memsets}, {"kernels", planned.kernels}};
}

std::vector<Count> operations_of(const TracedPass& pass) {
  std::uint64_t copies = 0, memsets = 0, kernels = 0;
  for (const TracedOperation& operation : pass.records.operations) {
    switch (operation.activity) {
      case Activity::copy_in:
      case Activity::copy_out: ++copies; break;
      case Activity::memset: ++memsets; break;
      case Activity::kernel: ++kernels; break;
    }
  }
  return {{"copies", copies}, {"memsets", memsets}, {"kernels", kernels}};
}

Timeline timeline_of(const VariantTrace& trace, const std::vector<Count>& planned) {
  Timeline timeline;
  timeline.planned = planned;
  timeline.untraced_us = trace.untraced_us;
  for (const TracedPass& pass : trace.passes) {
    ensure_whole(pass, planned);
    add_times(timeline, pass, trace.events_more_us);
  }
  const TracedPass& shown = trace.shown();
  timeline.operations = operations_of(shown);
  timeline.overlap = overlaps(shown);
  for (const EngineUse& use : engine_uses(shown)) {
    timeline.busy.push_back(use.busy);
    timeline.idle.push_back(use.idle);
  }
  timeline.waits = waits_of(shown);
  return timeline;
}

}  // namespace trilane
