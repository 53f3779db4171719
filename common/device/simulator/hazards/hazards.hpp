// The hazard check: mistakes of order, found on the happens-before relation, whatever order was
// drawn.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "common/device/simulator/hazards/hazard_report.hpp"
#include "common/device/simulator/hazards/order.hpp"
#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/memory/segments.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Keeps, for every byte of the device and every host byte that operations touch, the last writes
/// and the reads since. The same finding of the same lanes on the same range is reported once until
/// clear().
class Hazards {
 public:
  /// Checks the accesses of an operation just placed in the order against all before it.
  void check(const OperationPtr& operation, const Memory& memory);

  /// To be told of every block just allocated or registered, whose past does not count: bytes of
  /// the device are undefined, those of a pool or graph wait for an operation to allocate them, the
  /// host's count as written.
  void allocated(const Block& block) { segments_.replace(block.range, fresh_past(block.place)); }

  /// A release by the host at once (cudaFree, cudaFreeHost): all that used the bytes must be known
  /// to `order`'s host to be done. `call` names it.
  void released_by_host(const Range& range, const Order& order, const std::string& call);

  /// A further finding.
  void report(Hazard hazard, std::string text) { reports_.push_back({hazard, std::move(text)}); }

  const std::vector<Report>& reports() const { return reports_; }
  void clear();

 private:
  /// Something wrong with bytes that share a past; `text` says what, without who and where.
  struct Finding {
    Hazard hazard;
    std::string text, other_lane;
    Range range;
    Place place;
  };

  void touch(const OperationPtr& operation, const Access& access, const Memory& memory);
  void touch_nothing(const OperationPtr& operation, const Access& access);
  void find(Hazard hazard, std::string text, const Operation* other, const Range& range,
            Place place);
  void tell(const std::string& who, const std::string& lane);

  static std::string releaser_of(const Past& past);

  // The rules, in hazard_rules.cpp: for bytes with the same past, and what that is from now on.
  void apply(const OperationPtr& operation, Touch touch, const Range& range, Past& past);
  void use(const OperationPtr& operation, Touch touch, const Range& range, Past& past);
  void allocate(const OperationPtr& operation, const Range& range, Past& past);
  void release(const OperationPtr& operation, const Range& range, Past& past);

  Segments segments_;
  std::vector<Finding> found_;  // not told yet
  std::set<std::tuple<Hazard, std::uintptr_t, std::uintptr_t, std::string, std::string>> told_;
  std::vector<Report> reports_;
};

}  // namespace trilane::simulator
