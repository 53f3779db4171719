// Launches one kernel of a chunk.
#pragma once

#include "kernels/transform.cu"
#include "tests/truth/plain.hpp"

namespace plain {

/// Launches the `k`-th kernel of a chunk, from device memory to device memory.
inline void transform(const Preset& p, const unsigned char* from, unsigned char* to, unsigned k,
                      cudaStream_t stream) {
  const auto* const in = reinterpret_cast<const std::uint32_t*>(from);
  auto* const out = reinterpret_cast<std::uint32_t*>(to);
  if (p.in_bytes == p.out_bytes) {
    trilane::transform_each<<<each_blocks(p.in_words()), block, 0, stream>>>(
        in, out, p.in_words(), trilane::salt(k), p.rounds);
  } else {
    const std::uint64_t threads = reduce_threads(p);
    trilane::transform_reduce<<<ceil_div(threads, block), block, 0, stream>>>(
        in, out, p.in_words(), p.out_words(), threads, trilane::salt(k), p.rounds);
  }
  check(cudaGetLastError());
}

/// Loads both kernels.
inline void load_transform() {
  load(trilane::transform_each);
  load(trilane::transform_reduce);
}

}  // namespace plain
