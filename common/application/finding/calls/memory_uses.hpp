// Tells which memory the operations of an iteration use.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/application/iteration/known_memory.hpp"
#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Numbers memory in the order of first use, and finds the ranges in it.
class MemoryUses {
 public:
  explicit MemoryUses(KnownMemory& known) : known_(known) {}

  /// Returns the ranges that an operation accesses. A two-dimensional one is the range from its
  /// first to its last byte, including the gaps between its rows; a batch is given copy by copy. An
  /// allocation uses all memory that it makes, a free all memory that it frees.
  std::vector<UsedRange> of(const ObservedCall& call, const MemoryBlock& freed);

  /// Returns the range from the address to the end of its memory, which a kernel may use.
  UsedRange from(std::uint64_t address);

  const std::vector<RecordedMemory>& memory() const { return memory_; }

 private:
  UsedRange range(std::uint64_t address, std::uint64_t bytes, Use use);
  UsedRange whole(const MemoryBlock& block);
  std::uint32_t number_of(const MemoryBlock& block);

  KnownMemory& known_;
  std::vector<RecordedMemory> memory_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_block_;    ///< number, by block
  std::unordered_map<std::uint64_t, std::uint32_t> by_address_;  ///< if no block is known
  std::unordered_set<std::uint64_t> made_;                       ///< bases of blocks allocated in
                                                                 ///< the iteration
};

}  // namespace trilane
