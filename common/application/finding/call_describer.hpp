// Converts observed calls to records: handles become numbers, and addresses become ranges of
// memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/application/finding/handle_facts.hpp"
#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/memory_map.hpp"

namespace trilane {

/// Tells which memory the operations of an iteration use: numbers it in the order of first use, and
/// finds the ranges in it.
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

class CallDescriber {
 public:
  /// `memory` is that of the call described next. Streams, kernels and graphs that calls name are
  /// added to `recording`.
  CallDescriber(KnownMemory& memory, const HandleFacts& facts, ApplicationRecording& recording);

  /// Returns the record without times and variation. `freed`: what a free gave back. `points`: for
  /// a kernel, whether each word that may be a pointer is one; see pointer_words().
  RecordedCall described(const ObservedCall& call, const MemoryBlock& freed,
                         const std::vector<bool>& points);

  /// Returns the memory that the calls so far use.
  std::vector<RecordedMemory> memory() const { return uses_.memory(); }

 private:
  /// Numbers handles in the order of first use.
  class Numbers {
   public:
    /// Returns the number, and true if it is new.
    std::pair<std::uint32_t, bool> of(std::uint64_t handle) {
      const auto [known, added] =
          numbers_.emplace(handle, static_cast<std::uint32_t>(numbers_.size()));
      return {known->second, added};
    }

   private:
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  };

  RecordedNode described_node(const ObservedCall& operation);
  std::uint32_t number_of(const ObservedGraph& graph);
  std::uint32_t number_of(const KernelFacts& facts, std::uint64_t function);
  void describe_launch(RecordedCall& recorded, const ObservedLaunch& launch,
                       const std::vector<bool>& points);

  KnownMemory& memory_;
  const HandleFacts& facts_;
  ApplicationRecording& recording_;
  MemoryUses uses_;
  Numbers streams_, events_, kernels_, graphs_, executables_;
};

}  // namespace trilane
