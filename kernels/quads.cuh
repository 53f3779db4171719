// Several words of a thread at once: by wide accesses, if alignment allows, and side by side.
#pragma once

#include <cstdint>

#include "mix.hpp"

namespace trilane {

/// Returns true if both addresses are aligned for accesses of 16 bytes. A chunk of host memory, or
/// of a whole pass, may start at any word; a chunk's own device memory is always aligned.
__device__ inline bool in_quads(const void* one, const void* other) {
  return (reinterpret_cast<std::uintptr_t>(one) | reinterpret_cast<std::uintptr_t>(other)) % 16 ==
         0;
}

/// Returns the first word that one of `threads` takes singly after `quads` threads took four each:
/// those that took none come first, so that the last words take no time of their own.
__device__ inline std::uint64_t first_single(std::uint64_t thread, std::uint64_t threads,
                                             std::uint64_t quads) {
  return quads * 4 + (thread >= quads ? thread : thread + threads) - quads;
}

/// Returns the four words from `i` on at a distance of `step`, 0 for those from `end` on.
__device__ inline uint4 four_words(const std::uint32_t* in, std::uint64_t i, std::uint64_t step,
                                   std::uint64_t end) {
  const auto word = [&](std::uint64_t at) { return at < end ? in[at] : 0; };
  return {word(i), word(i + step), word(i + 2 * step), word(i + 3 * step)};
}

/// Stores the four words where four_words() finds them.
__device__ inline void store_four(std::uint32_t* out, std::uint64_t i, std::uint64_t step,
                                  std::uint64_t end, uint4 word) {
  const auto store = [&](std::uint64_t at, std::uint32_t value) {
    if (at < end) out[at] = value;
  };
  store(i, word.x);
  store(i + step, word.y);
  store(i + 2 * step, word.z);
  store(i + 3 * step, word.w);
}

/// Returns the sums of four words.
__device__ inline uint4 add_four(uint4 one, uint4 other) {
  return {one.x + other.x, one.y + other.y, one.z + other.z, one.w + other.w};
}

/// Returns mix(word ^ salt) of each word. Their chains of rounds run side by side: one chain alone
/// is all latency.
__device__ inline uint4 mix_four(uint4 word, std::uint32_t salt, std::uint32_t rounds) {
  std::uint32_t words[4] = {word.x ^ salt, word.y ^ salt, word.z ^ salt, word.w ^ salt};
  mix_each(words, rounds);
  return {words[0], words[1], words[2], words[3]};
}

/// Returns true if both addresses are aligned for accesses of four bytes.
__device__ inline bool in_words(const void* one, const void* other) {
  return (reinterpret_cast<std::uintptr_t>(one) | reinterpret_cast<std::uintptr_t>(other)) % 4 == 0;
}

}  // namespace trilane
