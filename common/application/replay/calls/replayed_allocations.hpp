// The memory that an iteration itself allocates, followed through its calls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/application/replay/calls/replayed_call.hpp"

namespace trilane {

class ReplayedAllocations {
 public:
  /// Takes an allocation of the application. Returns its number.
  std::uint32_t add(std::uint64_t address, std::uint64_t bytes);
  /// Takes a free. Returns the allocation's number; nothing if the iteration did not make it.
  std::optional<std::uint32_t> remove(std::uint64_t address);
  /// Where an address lies in memory that is allocated now.
  std::optional<MovingAddress> find(std::uint64_t address) const;

  /// Bytes of each allocation, by number.
  const std::vector<std::uint64_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint64_t> bytes_;
  std::map<std::uint64_t, std::uint32_t> live_;  // numbers, by address
};

}  // namespace trilane
