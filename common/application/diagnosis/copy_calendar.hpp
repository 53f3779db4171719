// The busy times of an engine, which runs one operation at a time in the order of readiness.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace trilane {

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

}  // namespace trilane
