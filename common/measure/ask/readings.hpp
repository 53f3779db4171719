// The measurements of an experiment, as its conclusion reads them.
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
  /// Readings of all processes of a reply.
  explicit Readings(const Reply& reply);

  /// Returns the median of a condition. Throws std::out_of_range if it was not measured.
  double median(const std::string& condition) const;
  /// Returns the quantile `q` of a condition.
  double at(const std::string& condition, double q) const;

  /// Returns true if three quarters of the readings of `condition` exceed `factor` times three
  /// quarters of the readings of `other`, because medians alone would mistake noise for a
  /// difference. With several processes this must hold within three quarters of them: a slower host
  /// in one moves both conditions.
  bool above(const std::string& condition, const std::string& other, double factor = 1) const;

 private:
  const Figure& figure(const std::string& condition) const;

  const std::vector<Figure>& figures_;
  std::vector<std::uint64_t> rounds_;  ///< of each process; empty if there is one
};

}  // namespace trilane
