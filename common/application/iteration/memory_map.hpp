// Memory that the application has allocated and not freed, by address, and other known addresses.
#pragma once

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"

namespace trilane {

/// An allocation. Each has its own number, because addresses are reused.
struct MemoryBlock {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t base = 0, bytes = 0;
  std::uint64_t number = 0;
};

class MemoryMap {
 public:
  MemoryMap() = default;
  explicit MemoryMap(const std::vector<MemoryFacts>& memory) {
    for (const auto& [kind, base, bytes] : memory) allocated(kind, base, bytes);
  }

  /// Notes an allocation. Drops the allocations it overlaps, which were freed unseen.
  const MemoryBlock& allocated(MemoryKind kind, std::uint64_t base, std::uint64_t bytes);
  /// Drops the allocation that begins at `base` and returns it.
  std::optional<MemoryBlock> freed(std::uint64_t base);
  /// Returns the allocation that holds the address; null: none. Valid until the next change.
  const MemoryBlock* find(std::uint64_t address) const;
  std::vector<MemoryFacts> all() const;

 private:
  std::map<std::uint64_t, MemoryBlock> blocks_;  ///< by base
  std::uint64_t numbered_ = 0;
};

/// The facts of the memory behind an address, from observed allocations or else the surroundings.
class KnownMemory {
 public:
  explicit KnownMemory(Surroundings& surroundings) : surroundings_(surroundings) {}

  /// Takes an allocation or a free. Returns the freed block: no bytes if it was unknown.
  MemoryBlock note(const ObservedCall& call);

  /// Returns the allocation that holds the address; no bytes: its extent is unknown. Asks the
  /// surroundings once about each page that no allocation holds.
  MemoryBlock block_of(std::uint64_t address);
  MemoryKind kind_of(std::uint64_t address) { return block_of(address).kind; }
  /// Returns true if an allocation or a module's variable holds the address. Ignores pageable
  /// memory, into which kernels seldom point: any number may look like one of its addresses.
  bool is_live(std::uint64_t address);

  std::vector<MemoryFacts> all() const { return map_.all(); }

  /// Restores the state before the latest noted call; `freed` is what note() returned.
  void undo(const ObservedCall& call, const MemoryBlock& freed);

 private:
  Surroundings& surroundings_;
  MemoryMap map_;
  std::unordered_map<std::uint64_t, MemoryKind> pages_;  ///< without a known extent
};

}  // namespace trilane
