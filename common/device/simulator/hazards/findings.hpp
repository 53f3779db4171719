// Hazards that the simulated device finds and reports.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

enum class Hazard {
  unordered,           ///< two operations on the same bytes, one of them a write, without an order
  uninitialised_read,  ///< a read of bytes that nothing has written
  use_before_allocation,  ///< a use that is not ordered after the allocation
  use_after_free,         ///< a use after the release
  free_before_last_use,   ///< a release that is not ordered after all uses
  double_free,            ///< a release of what is not allocated
  host_touched,           ///< the host changed bytes while an operation used them
  outside,                ///< a use of bytes outside all allocations
  never_finishes,         ///< a wait that cannot end
  api_in_host_function,   ///< a host function called the runtime
};

/// "unordered", "use after free", ...
std::string name_of(Hazard hazard);

/// "0x7f0000001000-0x7f0000002000 (4096 bytes of device memory)".
std::string describe(const Range& range, Place place);

struct Report {
  Hazard hazard;
  std::string text;  ///< one line: both operations with their lanes, and the range
};

/// A finding between the same two lanes on the same range is reported once until clear(), and no
/// more than `most` are: where thousands of operations race, so do millions of pairs.
class Findings {
 public:
  static constexpr std::size_t most = 10'000;

  /// Adds a hazard on bytes that share a past. `text` says what is wrong with them; `other` is the
  /// other operation, or null.
  void add(Hazard hazard, std::string text, const Operation* other, const Range& range,
           Place place);

  /// Whether further hazards are left out.
  bool is_full() const { return reports_.size() + added_.size() >= most; }

  /// The number of hazards that have been added and not reported.
  std::size_t added() const { return added_.size(); }
  /// Forgets each hazard, among those added since there were `first`, that repeats an earlier one
  /// for other bytes: the rows of an access often have the same mistake.
  void keep_one_of_each_since(std::size_t first);
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
