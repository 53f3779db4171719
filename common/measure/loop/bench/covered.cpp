#include "common/measure/loop/bench/covered.hpp"

#include <algorithm>

namespace trilane {

Covered covered_by(std::vector<Interval> intervals) {
  if (intervals.empty()) return {};
  std::ranges::sort(intervals, {}, &Interval::start_us);
  Covered covered;
  double until = intervals.front().start_us;
  for (const Interval& one : intervals) {
    covered.busy_us += std::max(0.0, one.end_us - std::max(one.start_us, until));
    until = std::max(until, one.end_us);
  }
  covered.span_us = until - intervals.front().start_us;
  return covered;
}

}  // namespace trilane
