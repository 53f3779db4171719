// Converts observed calls to records: handles become numbers, and addresses become ranges of
// memory. Finds the parts of a kernel's parameters that may be pointers.
#pragma once

#include <unordered_set>

#include "common/application/finding/handle_facts.hpp"
#include "common/application/finding/issuing_threads.hpp"
#include "common/application/iteration/memory_map.hpp"

namespace trilane {

inline constexpr std::uint64_t pointer_bytes = 8;

/// Eight bytes of a parameter that may be a pointer.
struct PointerWord {
  std::size_t parameter = 0;
  std::uint64_t value = 0;
};

/// Returns parameters of eight bytes, and larger ones in steps of eight, since structures hold
/// pointers aligned. Each launch of a kernel has as many, except for bytes that it does not hold.
inline std::vector<PointerWord> pointer_words(const KernelFacts& kernel,
                                              const ObservedLaunch& launch) {
  std::vector<PointerWord> words;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& [offset, bytes] = kernel.parameters[i];
    for (std::uint64_t at = 0; at + pointer_bytes <= bytes; at += pointer_bytes) {
      if (offset + at + pointer_bytes > launch.arguments.size()) break;
      PointerWord word{i, 0};
      std::memcpy(&word.value, launch.arguments.data() + offset + at, pointer_bytes);
      words.push_back(word);
    }
  }
  return words;
}

/// Returns the same number for the same bytes of a parameter; nothing if the launch lacks them.
inline std::optional<std::uint64_t> parameter_value(const ParameterPlace& place,
                                                    const ObservedLaunch& launch) {
  if (place.offset + place.bytes > launch.arguments.size()) return std::nullopt;
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const std::byte byte : launch.arguments.subspan(place.offset, place.bytes)) {
    value = (value ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  }
  return value;
}

/// Returns the bytes of a parameter of at most eight bytes, lowest first; nothing for a larger
/// parameter, or if the launch does not hold the bytes.
inline std::optional<std::uint64_t> parameter_bits(const ParameterPlace& place,
                                                   const ObservedLaunch& launch) {
  std::uint64_t bits = 0;
  if (place.bytes > sizeof bits) return std::nullopt;
  if (place.offset + place.bytes > launch.arguments.size()) return std::nullopt;
  std::memcpy(&bits, launch.arguments.data() + place.offset, place.bytes);
  return bits;
}

/// Numbers the memory that an iteration's operations use in the order of first use; finds ranges.
class MemoryUses {
 public:
  explicit MemoryUses(KnownMemory& known) : known_(known) {}

  /// Returns the ranges that an operation accesses. One of several rows is the range from its first
  /// to its last byte, including the gaps between rows; a batch is given copy by copy. An
  /// allocation uses all memory that it makes, a free all memory that it frees.
  std::vector<UsedRange> of(const ObservedCall& call, const MemoryBlock& freed);

  /// Returns the range from the address to the end of its memory, which a kernel may use.
  UsedRange from(std::uint64_t address);

  const std::vector<RecordedMemory>& memory() const { return memory_; }

 private:
  UsedRange range(std::uint64_t address, std::uint64_t bytes, Use use);
  UsedRange whole(const MemoryBlock& block) {
    return {number_of(block), 0, block.bytes, Use::may_use};
  }
  std::uint32_t number_of(const MemoryBlock& block);

  KnownMemory& known_;
  std::vector<RecordedMemory> memory_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_block_;    ///< number, by block
  std::unordered_map<std::uint64_t, std::uint32_t> by_address_;  ///< if no block is known
  std::unordered_set<std::uint64_t> made_;                       ///< bases of its own blocks
};

/// Puts call stacks into one source, each frame and each stack once.
class StackNumbers {
 public:
  /// Returns the index of the stack in the source, to which it adds what is new.
  std::uint32_t number_of(const ObservedStack& stack, RecordedSource& source);

 private:
  HandleNumbers frames_, stacks_;
};

/// Counts the captures that an application tries, and the calls that matter to them.
class CaptureCounts {
 public:
  explicit CaptureCounts(const HandleFacts& facts) : facts_(facts) {}

  void ended(const ObservedCapture& capture, const IssuingThreads& threads);
  void noted(const ObservedCaptureCall& call, const IssuingThreads& threads) {
    count(call, threads, audit().calls);
  }

  const std::optional<RecordedCaptures>& recorded() const { return captures_; }

 private:
  /// Limit of places in each list; calls at further ones count without a place.
  static constexpr std::size_t most_places = 200;

  CaptureAudit& audit();
  std::optional<std::uint32_t> number_of(const ObservedStack* stack);
  void count(const ObservedCaptureCall& call, const IssuingThreads& threads,
             std::vector<CaptureCall>& all);

  const HandleFacts& facts_;
  StackNumbers stacks_;
  std::optional<RecordedCaptures> captures_;
};

class CallDescriber {
 public:
  /// `memory` is that of the call described next. Adds streams, kernels and graphs to `recording`.
  CallDescriber(KnownMemory& memory, const HandleFacts& facts, ApplicationRecording& recording)
      : memory_(memory), facts_(facts), recording_(recording), uses_(memory) {}

  /// Returns the record without times and variation. `freed`: what a free gave back. `points`: for
  /// a kernel, whether each word that may be a pointer is one; see pointer_words().
  RecordedCall described(const ObservedCall& call, const MemoryBlock& freed,
                         const std::vector<bool>& points);

  /// Returns the index of the stack in the recording's source, to which it adds what is new.
  std::uint32_t number_of(const ObservedStack& stack);

  /// Returns the memory that the calls so far use.
  std::vector<RecordedMemory> memory() const { return uses_.memory(); }

 private:
  /// A copy of contiguous bytes: what the next call must be like, to be one copy with it.
  struct PlainCopy {
    std::uint64_t stream = 0, destination_end = 0, source_end = 0;
    bool waits = false;
    std::uint32_t from = 0, to = 0;  ///< the memory, if its extent is known, and otherwise its kind
    bool operator==(const PlainCopy&) const = default;
  };
  bool adjoins(const ObservedCall& call, const RecordedCall& recorded);

  RecordedNode described_node(const ObservedCall& operation);
  std::uint32_t number_of(const ObservedGraph& graph);
  std::uint32_t number_of(const KernelFacts& facts, std::uint64_t function);
  void describe_launch(RecordedCall& recorded, const ObservedLaunch& launch,
                       const std::vector<bool>& points);

  KnownMemory& memory_;
  const HandleFacts& facts_;
  ApplicationRecording& recording_;
  MemoryUses uses_;
  std::optional<PlainCopy> latest_;  ///< absent if the latest call was no such copy
  HandleNumbers streams_, events_, kernels_, graphs_, executables_;
  StackNumbers stacks_;
};

}  // namespace trilane
