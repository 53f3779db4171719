#include "common/explain/analysis/trace/trace_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <stdexcept>

#include "common/explain/analysis/trace/causes.hpp"
#include "common/explain/analysis/trace/intervals.hpp"

namespace trilane {
namespace {

/// The times of one activity's operations, by lane.
using Lanes = std::map<std::uint32_t, std::vector<Intervals::Interval>>;

Intervals running(const Lanes& lanes) {
  Intervals all;
  for (const auto& [lane, intervals] : lanes) all = all | Intervals(intervals);
  return all;
}

Intervals both(const Lanes& of, const Lanes& with) {
  Intervals all;
  for (const auto& [lane, intervals] : of) {
    for (const auto& [other, more] : with) {
      if (lane != other) all = all | (Intervals(intervals) & Intervals(more));
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

std::vector<TimelineOverlap> overlaps(const TracedPass& pass) {
  std::map<Activity, Lanes> activities;
  for (const TracedOperation& o : pass.records.operations) {
    activities[o.activity][o.label.lane].emplace_back(o.start_us, o.end_us);
  }
  std::vector<TimelineOverlap> found;
  for (const auto& [of, lanes] : activities) {
    const double busy = running(lanes).length();
    for (const auto& [with, others] : activities) {
      const double us = both(lanes, others).length();
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
