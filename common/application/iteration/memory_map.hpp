// Memory that the application has allocated and not freed, by address.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"
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
  explicit MemoryMap(const std::vector<MemoryFacts>& memory);

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

}  // namespace trilane
