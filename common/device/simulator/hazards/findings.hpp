// Findings of the hazard check, and the reports that they become.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "common/device/simulator/hazards/hazard_report.hpp"

namespace trilane::simulator {

/// A finding between the same two lanes on the same range is reported once until clear().
class Findings {
 public:
  /// Adds a hazard on bytes that share a past. `text` says what is wrong with them; `other` is the
  /// other operation, or null.
  void add(Hazard hazard, std::string text, const Operation* other, const Range& range,
           Place place);

  bool has_added() const { return !added_.empty(); }
  /// Reports what has been added, as mistakes of `culprit` on `lane`.
  void report_added(const std::string& culprit, const std::string& lane);

  /// Reports a hazard at once.
  void report(Hazard hazard, std::string text) { reports_.push_back({hazard, std::move(text)}); }

  const std::vector<Report>& reports() const { return reports_; }
  void clear();

 private:
  struct Finding {
    Hazard hazard;
    std::string text, other_lane;
    Range range;
    Place place;
  };

  std::vector<Finding> added_;
  std::set<std::tuple<Hazard, std::uintptr_t, std::uintptr_t, std::string, std::string>> reported_;
  std::vector<Report> reports_;
};

}  // namespace trilane::simulator
