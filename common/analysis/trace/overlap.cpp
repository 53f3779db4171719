#include "common/analysis/trace/overlap.hpp"

#include <map>

#include "common/analysis/trace/intervals.hpp"

namespace trilane {

namespace {

using Lanes = std::map<std::uint32_t, Intervals>;  // when an activity was running, by lane

std::map<Activity, Lanes> lanes_of(const TracedPass& pass) {
  std::map<Activity, std::map<std::uint32_t, std::vector<Intervals::Interval>>> raw;
  for (const TracedOperation& o : pass.records.operations) {
    raw[o.activity][o.label.lane].emplace_back(o.start_us, o.end_us);
  }
  std::map<Activity, Lanes> found;
  for (auto& [activity, lanes] : raw) {
    for (auto& [lane, intervals] : lanes) {
      found[activity].emplace(lane, Intervals(std::move(intervals)));
    }
  }
  return found;
}

Intervals running(const Lanes& lanes) {
  Intervals all;
  for (const auto& [lane, intervals] : lanes) all = all | intervals;
  return all;
}

Intervals both(const Lanes& of, const Lanes& with) {
  Intervals all;
  for (const auto& [lane, intervals] : of) {
    for (const auto& [other, more] : with) {
      if (lane != other) all = all | (intervals & more);
    }
  }
  return all;
}

}  // namespace

std::vector<Overlap> overlaps(const TracedPass& pass) {
  const auto activities = lanes_of(pass);
  std::vector<Overlap> found;
  for (const auto& [of, lanes] : activities) {
    const double busy = running(lanes).length();
    for (const auto& [with, others] : activities) {
      const double us = both(lanes, others).length();
      found.push_back({of, with, us, busy > 0 ? us / busy : 0});
    }
  }
  return found;
}

}  // namespace trilane
