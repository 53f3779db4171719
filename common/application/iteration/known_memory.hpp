// The known facts of the memory behind an address: observed allocations first, then answers of the
// surroundings.
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

  /// Takes an allocation or a free. Returns the freed block: no bytes if it was unknown.
  MemoryBlock note(const ObservedCall& call);

  /// Returns the kind. Asks the surroundings once about each page that no allocation holds.
  MemoryKind kind_of(std::uint64_t address);
  /// Does the same with the extent; no bytes: unknown.
  MemoryBlock block_of(std::uint64_t address);
  /// Returns true if an allocation or a module's variable holds the address. Ignores pageable
  /// memory, into which kernels seldom point: any number may look like one of its addresses.
  bool is_live(std::uint64_t address);

  std::vector<MemoryFacts> all() const { return map_.all(); }

  /// Restores the state before the call, which must be the latest noted; `freed` is what note()
  /// returned.
  void undo(const ObservedCall& call, const MemoryBlock& freed);

 private:
  MemoryKind asked(std::uint64_t address);

  Surroundings& surroundings_;
  MemoryMap map_;
  std::unordered_map<std::uint64_t, MemoryKind> pages_;  ///< without a known extent
};

}  // namespace trilane
