// A pass and the launch shapes of the plain programs, in plain C++.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plain {

/// A pass: `chunks` chunks of `in_bytes`, each with a result of `out_bytes`, dealt to `lanes`
/// lanes; `depth` kernels of `rounds` rounds on each chunk.
struct Preset {
  const char* name;
  unsigned chunks;
  std::uint64_t in_bytes, out_bytes;
  unsigned lanes, depth, rounds;

  std::uint64_t in_words() const { return in_bytes / 4; }
  std::uint64_t out_words() const { return out_bytes / 4; }
  std::uint64_t all_in() const { return chunks * in_bytes; }
  std::uint64_t all_out() const { return chunks * out_bytes; }
};

inline unsigned ceil_div(std::uint64_t value, std::uint64_t by) {
  return static_cast<unsigned>((value + by - 1) / by);
}

/// Threads of a block, except in fused_reduce.
inline constexpr unsigned block = 256;

/// Returns the blocks of transform_each: a thread takes four words.
inline unsigned each_blocks(std::uint64_t words) { return ceil_div(ceil_div(words, 4), block); }

/// Returns the threads of transform_reduce: about 2^18, a multiple of the outputs.
inline std::uint64_t reduce_threads(const Preset& p) {
  return std::clamp<std::uint64_t>((1 << 18) / p.out_words(), 1,
                                   ceil_div(p.in_words(), p.out_words())) *
         p.out_words();
}

/// Returns the blocks of copy_bytes and clear_bytes: a thread takes 16 bytes at a time.
inline unsigned move_blocks(std::uint64_t bytes) {
  return std::min(ceil_div(ceil_div(bytes, 16), block), 64u);
}

/// Return the sides of a block of fused_reduce: outputs, and threads that share an output's words.
inline unsigned fused_outputs(const Preset& p) {
  return static_cast<unsigned>(std::min<std::uint64_t>(64, p.out_words()));
}
inline unsigned fused_groups(const Preset& p) {
  return std::clamp(ceil_div(p.in_words(), p.out_words()), 1u, 512 / fused_outputs(p));
}

}  // namespace plain
