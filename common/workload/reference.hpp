// The CPU's answer: new input for a pass, and the output that it must give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/workload/random.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// Draws inputs from an alphabet of random words. What a word adds to the result through all
/// kernels of a chunk is worked out once per word: mix is dear on a CPU and input is plenty.
class Reference {
 public:
  static constexpr std::size_t alphabet_size = 4096;

  /// Takes about 1.6 ns * letters * depth * rounds. `letters`, a power of two, may be fewer than
  /// `alphabet_size` where that would take too long.
  Reference(const Workload& workload, std::uint64_t seed, std::size_t letters = alphabet_size);

  /// Fills `in` (workload.bytes) with words drawn anew and `expected` (workload.result_total())
  /// with the output of a pass over them. Both are aligned for 32-bit words.
  void draw(std::byte* in, std::byte* expected);

 private:
  struct Letter {
    std::uint32_t word;
    std::uint32_t sum;  ///< of mix(word ^ salt(k), rounds) over the kernels k of a chunk
  };

  Workload workload_;
  Random random_;
  std::vector<Letter> alphabet_;
};

/// Fills `out` so that every byte differs from the expected one: what a pass leaves unwritten
/// cannot look right. `bytes` is a multiple of 4 (std::invalid_argument).
void poison(std::byte* out, std::size_t bytes, const std::byte* expected);

/// Where and how an output is wrong.
struct Mismatch {
  std::size_t offset;         ///< of the first wrong word, in bytes
  std::uint32_t wanted, got;  ///< there
  std::size_t words;          ///< wrong ones in all
};

/// Compares every byte; nothing when all are equal. `bytes` is a multiple of 4
/// (std::invalid_argument).
std::optional<Mismatch> compare(const std::byte* out, const std::byte* expected, std::size_t bytes);

}  // namespace trilane
