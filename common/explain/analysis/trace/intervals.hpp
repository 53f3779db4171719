// Sets of times at which something was running.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// A set of disjoint intervals of time in ascending order, in microseconds.
class Intervals {
 public:
  using Interval = std::pair<double, double>;

  Intervals() = default;
  /// Makes the union of `any`, which may overlap and be in any order.
  explicit Intervals(std::vector<Interval> any);

  const std::vector<Interval>& all() const { return all_; }
  double length() const;

  /// Returns the intersection.
  Intervals operator&(const Intervals& other) const;

 private:
  std::vector<Interval> all_;
};

}  // namespace trilane
