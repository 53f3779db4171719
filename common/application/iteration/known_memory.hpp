// What is known of the memory behind an address: observed allocations first, then what the
// surroundings answer.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/application/iteration/memory_map.hpp"
#include "common/application/iteration/observed_call.hpp"

namespace trilane {

class KnownMemory {
 public:
  explicit KnownMemory(Surroundings& surroundings) : surroundings_(surroundings) {}

  /// Takes an allocation or a free. Returns what was freed: no bytes if it was not known.
  MemoryBlock note(const ObservedCall& call);

  /// Asks the surroundings once about each page that no allocation holds.
  MemoryKind kind_of(std::uint64_t address);
  /// The same with the extent; no bytes: not known.
  MemoryBlock block_of(std::uint64_t address);
  /// Whether an allocation holds the address, or a variable of a module. Does not count pageable
  /// memory, into which kernels seldom point: any number may look like one of its addresses.
  bool is_live(std::uint64_t address);

  std::vector<MemoryFacts> all() const { return map_.all(); }

  /// As it was before the call, which was the latest that was noted, and what note() returned then.
  void undo(const ObservedCall& call, const MemoryBlock& freed);

 private:
  MemoryKind asked(std::uint64_t address);

  Surroundings& surroundings_;
  MemoryMap map_;
  std::unordered_map<std::uint64_t, MemoryKind> pages_;  ///< without a known extent
};

}  // namespace trilane
