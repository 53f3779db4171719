// Items of work: parameters that carry a sequence number, and the check of their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/measure/loop/results/loop_shape.hpp"

namespace trilane {

/// How a result compares with that of the awaited item.
enum class Outcome {
  right,       ///< every byte
  other_item,  ///< it holds another item's sequence number: stale, or overtaken
  wrong,       ///< it holds no sequence number, or the right one and wrong bytes
};

/// Writes parameters for sequence numbers and checks results against the CPU reference. The
/// alphabet has few letters, because a letter takes the CPU as long as thousands of them the GPU.
/// All but the words with the digits of the sequence number depends on one of `letters` shifts. So
/// the blocks of every shift are made once, and writing or checking an item is a copy or a
/// comparison of memory and six words: one thread that serves all lanes has little time for each.
class Items {
 public:
  static constexpr std::uint32_t letters = 64;
  static constexpr std::uint32_t digits = 6;  ///< of a sequence number, to the base `letters`
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;  ///< of parameters and result

  /// Takes about 1.6 ns * letters * rounds, and `letters` times the memory of parameters and
  /// result. Throws std::invalid_argument if the result has fewer words than a sequence number has
  /// digits, or is no divisor of the parameters, or if both together exceed `most_bytes`.
  Items(const Loop& loop, std::uint64_t seed);

  /// The sequence number of the lane's `item`-th item: no two items of a loop share one.
  std::uint64_t sequence(std::uint32_t lane, std::uint64_t item) const {
    return item * lanes_ + lane;
  }

  /// Fills a parameter block.
  void write(std::uint64_t sequence, std::byte* parameters) const;

  /// The sequence number that a result holds, if it holds one.
  std::optional<std::uint64_t> sequence_in(const std::byte* result) const;

  /// Compares the sequence number and every other byte.
  Outcome check(std::uint64_t sequence, const std::byte* result) const;

  /// check(), and then spoils the sequence number: no result can be taken twice, and the simulated
  /// device, which sees what the host changes but not what it reads, finds a host that takes a
  /// result before its copy is known to be over.
  Outcome take(std::uint64_t sequence, std::byte* result) const;

 private:
  using Block = std::vector<std::uint32_t>;

  void add_blocks(const Block& places, std::uint32_t shift);
  std::size_t shift_of(std::uint64_t sequence) const;
  bool is_right(std::uint64_t sequence, const std::byte* result) const;

  std::uint32_t lanes_;
  std::size_t inputs_, outputs_;  // words
  Block words_, sums_;            // of each letter, and what the kernel adds for it
  std::uint32_t others_ = 0;      // what input words without a digit add to a digit's output word
  std::vector<Block> parameters_, results_;  // of each shift, with zeros for digits
};

}  // namespace trilane
