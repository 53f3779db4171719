// The hazard check: finds missing order in the happens-before relation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/device/simulator/hazards/findings.hpp"
#include "common/device/simulator/hazards/order.hpp"
#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/operations/memory.hpp"
#include "common/device/simulator/operations/segments.hpp"

namespace trilane::simulator {

/// Keeps the last writes, and the reads since, of every byte of the device and of every host byte
/// that operations touch.
class Hazards {
 public:
  /// Checks the accesses of an operation, which must be the latest in the order.
  void check(const OperationPtr& operation, const Memory& memory);

  /// Must be called for every new block; its past is forgotten. Bytes of the device are undefined,
  /// those of a pool or graph are not allocated yet, and those of the host count as written.
  void allocated(const Block& block) { segments_.replace(block.range, fresh_past(block.place)); }

  /// Checks an immediate release by the host (cudaFree, cudaFreeHost): the host must have waited
  /// for all operations that used the bytes. `call` is the name of the function.
  void released_by_host(const Range& range, const Order& order, const std::string& call);

  /// Reports a hazard found elsewhere.
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
