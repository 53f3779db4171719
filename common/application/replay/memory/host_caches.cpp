#include "common/application/replay/memory/host_caches.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trilane {

void evict_from_caches([[maybe_unused]] const std::byte* memory,
                       [[maybe_unused]] std::size_t bytes) {
#if defined(__x86_64__)
  constexpr std::size_t line = 64;
  for (std::size_t at = 0; at < bytes; at += line) _mm_clflush(memory + at);
  if (bytes > 0) _mm_clflush(memory + bytes - 1);
  _mm_mfence();
#endif
}

}  // namespace trilane
