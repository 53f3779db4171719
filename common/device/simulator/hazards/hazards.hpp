// The hazard check: mistakes of order, found on the happens-before relation, whatever order was
// drawn.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/device/simulator/hazards/findings.hpp"
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
  void report(Hazard hazard, std::string text) { findings_.report(hazard, std::move(text)); }

  const std::vector<Report>& reports() const { return findings_.reports(); }
  void clear() { findings_.clear(); }

 private:
  void touch(const OperationPtr& operation, const Access& access, const Memory& memory);
  void touch_nothing(const OperationPtr& operation, const Access& access);

  Segments segments_;
  Findings findings_;
};

}  // namespace trilane::simulator
