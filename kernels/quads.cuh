// Accesses of several bytes at once, if alignment allows.
#pragma once

#include <cstdint>

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

/// Returns true if both addresses are aligned for accesses of four bytes.
__device__ inline bool in_words(const void* one, const void* other) {
  return (reinterpret_cast<std::uintptr_t>(one) | reinterpret_cast<std::uintptr_t>(other)) % 4 == 0;
}

}  // namespace trilane
