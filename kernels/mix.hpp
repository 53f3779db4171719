// The work per element, shared by the device and the CPU reference.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define TRILANE_BOTH __host__ __device__
#else
#define TRILANE_BOTH
#endif

namespace trilane {

/// Returns the value with which the k-th kernel of a chunk combines its input, so that no two
/// kernels compute the same. The multiplier is 2^32 over the golden ratio: consecutive k differ in
/// about half their bits.
TRILANE_BOTH constexpr std::uint32_t salt(std::uint32_t kernel) {
  return (kernel + 1) * 0x9e3779b9u;
}

/// Threads of a block of the kernels that accumulate a chunk's input into its result.
inline constexpr unsigned transform_block = 256;

/// Applies one round of xor-shift and multiply to a word.
TRILANE_BOTH constexpr std::uint32_t mix_round(std::uint32_t word, std::uint32_t round) {
  word ^= word >> 15;
  word *= 0x2c1b3c6du;
  return word + round;
}

/// Applies `rounds` rounds to one word. Each depends on the previous one, so no compiler can
/// shorten the chain. Every step is a bijection of 32-bit words (the multiplier is odd), so
/// different inputs never give the same word.
TRILANE_BOTH constexpr std::uint32_t mix(std::uint32_t word, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) word = mix_round(word, round);
  return word;
}

/// Words that a CPU mixes side by side in a sixth of the time: one chain is all latency.
inline constexpr std::size_t mixed_at_once = 16;

/// Applies mix() to each of the words, side by side.
template <std::size_t count>
TRILANE_BOTH constexpr void mix_each(std::uint32_t (&words)[count], std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t& word : words) word = mix_round(word, round);
  }
}

}  // namespace trilane

#undef TRILANE_BOTH
