// The memory and handles that a program holds, derived from the names of its calls: an independent
// account to check the machine's list of leaks.
#pragma once

#include "tests/device/simulator/faults/fault_places.hpp"

namespace trilane::simulator {

/// Non-zero counts of each kind, by the name that Machine::leaks() has for it.
using Holdings = std::map<std::string, int>;

std::string text_of(const Holdings& holdings);

/// Reads lines like "stream 12" and "256 bytes of pool 3".
Holdings holdings_of(const std::vector<std::string>& leaks);

/// Returns what a release that fails still holds; nothing for other calls.
Holdings held_by(const FaultPlace& place);

/// Tracks live objects after a growing number of a machine's calls, as long as all of them succeed.
class Alive {
 public:
  /// Returns the live objects after the first `count` of `calls`, which must not decrease.
  const Holdings& after(std::uint64_t count, const std::vector<const char*>& calls);

 private:
  void see(std::string_view name);

  Holdings alive_{{"bytes of device memory", 1}};  // the first cudaFree is of null
  std::uint64_t seen_ = 0;
  bool capturing_ = false;
};

}  // namespace trilane::simulator
