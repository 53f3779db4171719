// The happens-before relation among operations and the host, as vector clocks.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Operations form chains; each operation's clock says how far into every chain it comes after.
/// (Fidge 1988, Mattern 1989; operations take the place of a process' events.) Clocks are as long
/// as the most chains that were ever open at once, since a chain that has been waited for is
/// continued.
class Order {
 public:
  /// Places `operation` after everything in operation.after and after all that the host waited
  /// for. It continues a chain whose last operation it comes after, at best that of a predecessor,
  /// or starts one.
  void place(Operation& operation);

  /// The host has waited for `operation`: all that it issues from now on comes after it.
  void host_waited_for(const Operation& operation);

  /// Whether `first` happens before `second` in every legal order. An operation does not happen
  /// before itself.
  static bool before(const Position& first, const Position& second);

  /// Whether the host has waited for it, or for something after it.
  bool host_knows(const Position& position) const;

 private:
  std::uint32_t chain_for(const Operation& operation) const;

  std::vector<std::uint32_t> host_;  // the host's clock
  std::vector<std::uint32_t> last_;  // per chain, the tick of its last operation
};

}  // namespace trilane::simulator
