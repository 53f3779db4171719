// Sets of times: when something was running.
#pragma once

#include <utility>
#include <vector>

namespace trilane {

/// A set of times, in disjoint intervals that ascend. Begin and end in microseconds.
class Intervals {
 public:
  using Interval = std::pair<double, double>;

  Intervals() = default;
  /// The union of `any`, which may overlap and be in any order.
  explicit Intervals(std::vector<Interval> any);

  const std::vector<Interval>& all() const { return all_; }
  double length() const;

  /// What is in both.
  Intervals operator&(const Intervals& other) const;
  /// What is in either.
  Intervals operator|(const Intervals& other) const;

 private:
  std::vector<Interval> all_;
};

}  // namespace trilane
