// The work per element, once for the device and the CPU reference.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TRILANE_BOTH __host__ __device__
#else
#define TRILANE_BOTH
#endif

namespace trilane {

/// The k-th kernel of a chunk combines its input with this, so that no two kernels compute the
/// same. The multiplier is 2^32 over the golden ratio: consecutive k differ in about half their
/// bits.
TRILANE_BOTH constexpr std::uint32_t salt(std::uint32_t kernel) {
  return (kernel + 1) * 0x9e3779b9u;
}

/// `rounds` rounds of xor-shift and multiply on one word. Each depends on the one before, so that
/// no compiler can shorten it. Every step is a bijection of 32-bit words (the multiplier is odd),
/// so different inputs never give the same word.
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
