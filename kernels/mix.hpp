// The work per element, shared by the device and the CPU reference.
#pragma once

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

/// Applies `rounds` rounds of xor-shift and multiply to one word. Each depends on the previous one,
/// so no compiler can shorten the chain. Every step is a bijection of 32-bit words (the multiplier
/// is odd), so different inputs never give the same word.
TRILANE_BOTH constexpr std::uint32_t mix(std::uint32_t word, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    word ^= word >> 15;
    word *= 0x2c1b3c6du;
    word += round;
  }
  return word;
}

}  // namespace trilane

#undef TRILANE_BOTH
