#include "common/explain/analysis/trace/overlap.hpp"

#include <map>

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

}  // namespace trilane
