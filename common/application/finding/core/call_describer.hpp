// Converts observed calls to records: handles become numbers, and addresses become ranges of
// memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/application/finding/calls/handle_facts.hpp"
#include "common/application/finding/calls/memory_uses.hpp"
#include "common/application/finding/core/digest.hpp"
#include "common/application/iteration/known_memory.hpp"

namespace trilane {

class CallDescriber {
 public:
  /// `memory` is that of the call described next. Streams, kernels and graphs that calls name are
  /// added to `digest`.
  CallDescriber(KnownMemory& memory, const HandleFacts& facts, Digest& digest);

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
  Digest& digest_;
  MemoryUses uses_;
  Numbers streams_, events_, kernels_, graphs_, executables_;
};

}  // namespace trilane
