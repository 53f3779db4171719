// What an experiment measured, as its conclusion reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/measure/ask/reply.hpp"

namespace trilane {

class Readings {
 public:
  /// Readings of one process.
  explicit Readings(const std::vector<Figure>& figures) : figures_(figures) {}
  /// Those of all processes of a reply.
  explicit Readings(const Reply& reply);

  /// The median of a condition. Throws std::out_of_range for one that was not measured.
  double median(const std::string& condition) const;
  /// The quantile `q` of a condition.
  double at(const std::string& condition, double q) const;

  /// Whether three quarters of the readings of one condition are above `factor` times three
  /// quarters of those of the other: medians alone would tell noise apart. Of several processes it
  /// must be so within three quarters of them: a host that is slower in one moves both conditions.
  bool above(const std::string& condition, const std::string& other, double factor = 1) const;

 private:
  const Figure& figure(const std::string& condition) const;

  const std::vector<Figure>& figures_;
  std::vector<std::uint64_t> rounds_;  ///< of each process; empty if there is one
};

}  // namespace trilane
