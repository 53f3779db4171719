// Four words at once, where memory allows.
#pragma once

#include <cstdint>

namespace trilane {

/// Whether both addresses can be accessed 16 bytes at a time: chunks of host memory start at any
/// word, device memory of a chunk of its own does not.
__device__ inline bool in_quads(const void* one, const void* other) {
  return (reinterpret_cast<std::uintptr_t>(one) | reinterpret_cast<std::uintptr_t>(other)) % 16 ==
         0;
}

}  // namespace trilane
