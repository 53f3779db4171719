// What an experiment measured, as its conclusion reads it.
#pragma once

#include <string>
#include <vector>

#include "common/ask/question/reply.hpp"

namespace trilane {

class Readings {
 public:
  explicit Readings(const std::vector<Figure>& figures) : figures_(figures) {}

  /// The median of a condition. Throws std::out_of_range for one that was not measured.
  double median(const std::string& condition) const;
  /// The quantile `q` of a condition.
  double at(const std::string& condition, double q) const;

  /// Whether three quarters of the readings of one condition are above `factor` times three
  /// quarters of those of the other: medians alone would tell noise apart.
  bool above(const std::string& condition, const std::string& other, double factor = 1) const;

 private:
  const Figure& figure(const std::string& condition) const;

  const std::vector<Figure>& figures_;
};

}  // namespace trilane
