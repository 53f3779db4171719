// The happens-before relation among operations and the host, as vector clocks.
#pragma once

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Operations form chains. The clock of an operation holds, for every chain, the last tick that
/// comes before it (Fidge 1988 and Mattern 1989, with chains as processes). A chain that the host
/// has waited for is continued, so there are never more chains than were open at once.
class OperationOrder {
 public:
  /// Places `operation` after all of operation.after and everything that the host has waited for.
  /// It continues a chain that it comes after, if possible a predecessor's, or starts one.
  void place(Operation& operation);

  /// Records that the host has waited for `operation`: what it issues later comes after it.
  void host_waited_for(const Operation& operation);

  /// Returns true if `first` happens before `second` in every legal order; false for the same.
  static bool before(const Position& first, const Position& second);

  /// Returns true if the host has waited for this operation or for a later one.
  bool host_knows(const Position& position) const;

 private:
  std::uint32_t chain_for(const Operation& operation) const;

  std::vector<std::uint32_t> host_;  // the host's clock
  std::vector<std::uint32_t> last_;  // per chain, the tick of its last operation
};

}  // namespace trilane::simulator
