// The CPU reference: new input for a pass, and its expected output.
#pragma once

#include "common/model/workload/random.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Draws inputs from an alphabet of random words. A word's contribution to the result is computed
/// once, because mix is slow on a CPU and inputs are large.
class Reference {
 public:
  static constexpr std::size_t alphabet_size = 4096;

  /// Takes about 0.4 ns * letters * depth * rounds, shared by all cores. `letters` is a power of
  /// two, at most `alphabet_size`; fewer take less time.
  Reference(const Workload& workload, std::uint64_t seed, std::size_t letters = alphabet_size);

  /// Fills `in` (workload.bytes) with newly drawn words, and `expected` (workload.result_total())
  /// with the output of a pass over them, using all cores. Both must be aligned for 32-bit words.
  void draw(std::byte* in, std::byte* expected);

 private:
  struct Letter {
    std::uint32_t word;
    std::uint32_t sum;  ///< of mix(word ^ salt(k), rounds) over the kernels k of a chunk
  };

  /// Outputs `first` to before `last` of a chunk, and their inputs, with their own random numbers.
  struct Piece {
    Chunk chunk;
    std::size_t first, last;
    std::uint64_t seed;
  };
  void draw(const Piece& piece, std::byte* in, std::byte* expected) const;

  Workload workload_;
  Random random_;
  std::vector<Letter> alphabet_;
};

/// Fills `out` so that every byte differs from the expected one, and bytes that a pass does not
/// write are wrong, using all cores. Throws std::invalid_argument for other than multiples of 4.
void poison(std::byte* out, std::size_t bytes, const std::byte* expected);

/// The errors in an output.
struct Mismatch {
  std::size_t offset;         ///< of the first wrong word, in bytes
  std::uint32_t wanted, got;  ///< the values of that word
  std::size_t words;          ///< number of wrong words
};

/// Compares every byte, using all cores; returns nullopt if all are equal. Throws
/// std::invalid_argument unless `bytes` is a multiple of 4.
std::optional<Mismatch> compare(const std::byte* out, const std::byte* expected, std::size_t bytes);

}  // namespace trilane
