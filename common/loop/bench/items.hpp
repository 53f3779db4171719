// Items of work: parameters that carry a sequence number, and the check of their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/loop/results/loop_shape.hpp"

namespace trilane {

/// How a result compares with that of the awaited item.
enum class Outcome {
  right,       ///< every byte
  other_item,  ///< it holds another item's sequence number: stale, or overtaken
  wrong,       ///< it holds no sequence number, or the right one and wrong bytes
};

/// Writes parameters for sequence numbers and checks results against the CPU reference. The
/// alphabet has few letters, because a letter takes the CPU as long as thousands of them the GPU.
class Items {
 public:
  static constexpr std::uint32_t letters = 64;
  static constexpr std::uint32_t digits = 6;  ///< of a sequence number, to the base `letters`

  /// Takes about 1.6 ns * letters * rounds. Throws std::invalid_argument if the result has fewer
  /// words than a sequence number has digits, or is no divisor of the parameters.
  Items(const Loop& loop, std::uint64_t seed);

  /// The sequence number of the lane's `item`-th item: no two items of a loop share one.
  std::uint64_t sequence(std::uint32_t lane, std::uint64_t item) const {
    return item * lanes_ + lane;
  }

  /// Fills a parameter block.
  void write(std::uint64_t sequence, std::byte* parameters) const;

  /// The sequence number that a result holds, if it holds one.
  std::optional<std::uint64_t> sequence_in(const std::byte* result) const;

  /// Reads the sequence number and compares every byte.
  Outcome check(std::uint64_t sequence, const std::byte* result) const;

 private:
  std::uint32_t letter(std::uint64_t sequence, std::size_t word) const;

  std::uint32_t lanes_;
  std::size_t inputs_, outputs_;             // words
  std::vector<std::uint32_t> words_, sums_;  // of each letter, and what the kernel adds for it
  std::vector<std::uint32_t> places_;        // of each input word, its letter in item 0
};

}  // namespace trilane
