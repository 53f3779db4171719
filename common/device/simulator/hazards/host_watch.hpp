// Host memory under way: finds out when the host changes bytes that an operation has not done with.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/simulator/hazards/hazards.hpp"
#include "common/device/simulator/hazards/order.hpp"
#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// The host's reads and writes are not seen, so the content is watched: a fingerprint is taken when
/// an operation on host bytes is issued and held against them when one runs on them and when the
/// host has waited for it. A change that no operation made is the host's.
class HostWatch {
 public:
  /// Watches the host ranges (pinned, registered, pageable) that the operation reads or writes.
  void issued(const OperationPtr& operation, const Memory& memory);
  /// Around the work of an operation: what it changes itself is no finding. A host function may
  /// change anything.
  void before_work(const Operation& operation, Hazards& hazards);
  void after_work(const Operation& operation);
  /// Looks a last time at what the host has waited for, and forgets it. To be called whenever the
  /// host gets to know more: from then on it may use those bytes.
  void host_waited(const Order& order, Hazards& hazards);

 private:
  struct Watched {
    Range range;
    Place place;
    std::uint64_t fingerprint = 0;
    std::vector<OperationPtr> under_way;  // that the host has not waited for
    bool reported = false;
  };
  static void look_at(Watched& watched, Hazards& hazards);

  std::vector<Watched> watched_;  // no range twice
};

}  // namespace trilane::simulator
