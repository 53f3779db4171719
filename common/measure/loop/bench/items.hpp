// Items of work: parameters that carry a sequence number, and the check of their results.
#pragma once

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// The comparison of a result with that of the awaited item.
enum class Outcome {
  right,       ///< every byte matches
  other_item,  ///< it holds another item's sequence number: stale, or overtaken
  wrong,       ///< no sequence number, or the right one with wrong bytes
};

/// Writes parameters for sequence numbers and checks results against the CPU reference. Except for
/// the words with the digits of the sequence number, everything depends on one of `letters` shifts.
/// The blocks of every shift are computed once: writing or checking an item takes a copy or
/// comparison of memory and six words. One thread serves all lanes.
class Items {
 public:
  static constexpr std::uint32_t letters = 64;
  static constexpr std::uint32_t digits = 6;  ///< of a sequence number, to the base `letters`
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;  ///< of parameters and result

  /// Takes about 1.6 ns * letters * rounds, and `letters` times the memory of parameters and
  /// result. Throws std::invalid_argument if the result has fewer words than a sequence number has
  /// digits, or is no divisor of the parameters, or if both together exceed `most_bytes`.
  Items(const Loop& loop, std::uint64_t seed);

  /// Returns the sequence number of the lane's `item`-th item, unique within the loop.
  std::uint64_t sequence(std::uint32_t lane, std::uint64_t item) const {
    return item * lanes_ + lane;
  }

  /// Fills a parameter block.
  void write(std::uint64_t sequence, std::byte* parameters) const;

  /// Returns the sequence number in a result; nothing if none exists.
  std::optional<std::uint64_t> sequence_in(const std::byte* result) const;

  /// Compares the sequence number and every other byte.
  Outcome check(std::uint64_t sequence, const std::byte* result) const;

  /// Calls check(), then overwrites the sequence number, so that no result can be taken twice. The
  /// simulated device sees what the host writes but not what it reads. Through this write it
  /// detects a host that takes a result before its copy is known to be complete.
  Outcome take(std::uint64_t sequence, std::byte* result) const;

 private:
  using Block = std::vector<std::uint32_t>;

  void add_blocks(const Block& places, std::uint32_t shift);
  std::size_t shift_of(std::uint64_t sequence) const;
  bool is_right(std::uint64_t sequence, const std::byte* result) const;

  std::uint32_t lanes_;
  std::size_t inputs_, outputs_;  // words
  Block words_, sums_;            // by letter: the word, and what the kernel adds for it
  std::uint32_t others_ = 0;      // what input words without a digit add to a digit's output word
  std::vector<Block> parameters_, results_;  // by shift, with zeros for digits
};

}  // namespace trilane
