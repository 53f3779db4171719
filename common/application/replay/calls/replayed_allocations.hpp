// Tracks the memory that an iteration itself allocates through its calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/application/iteration/memory_map.hpp"
#include "common/application/replay/calls/replayed_call.hpp"

namespace trilane {

class ReplayedAllocations {
 public:
  /// `others`: memory that the iteration does not allocate.
  explicit ReplayedAllocations(const std::vector<MemoryFacts>& others) : others_(others) {}

  /// Takes an allocation of the application. Returns its number.
  std::uint32_t add(std::uint64_t address, std::uint64_t bytes);
  /// Takes a free. Returns the allocation's number; nothing if the iteration did not make it.
  std::optional<std::uint32_t> remove(std::uint64_t address);
  /// Finds an address in memory that is allocated now. It may be right behind that memory, where a
  /// range ends, if nothing else begins there.
  std::optional<MovingAddress> find(std::uint64_t address) const;
  /// Returns true if one of the aligned words of these bytes is such an address.
  bool any_in(std::span<const std::byte> bytes) const;

  /// Returns the bytes of each allocation, by number.
  const std::vector<std::uint64_t>& bytes() const { return bytes_; }

 private:
  MemoryMap others_;
  std::vector<std::uint64_t> bytes_;
  std::map<std::uint64_t, std::uint32_t> live_;  // numbers, by address
};

}  // namespace trilane
