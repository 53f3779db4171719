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

/// Returns true if both addresses are aligned for accesses of four bytes.
__device__ inline bool in_words(const void* one, const void* other) {
  return (reinterpret_cast<std::uintptr_t>(one) | reinterpret_cast<std::uintptr_t>(other)) % 4 == 0;
}

}  // namespace trilane
