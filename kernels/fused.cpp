#include "kernels/fused.hpp"

#include <algorithm>

namespace trilane {

namespace {

// A block has several warps of neighbouring outputs, because rows of results are rarely aligned.
constexpr std::uint64_t each_block = 256, most_outputs = 64;

/// Blocks along y are chunks; a grid has at most this many.
constexpr std::uint64_t most_chunks = 65535;

unsigned ceil_div(std::uint64_t value, std::uint64_t by) {
  return static_cast<unsigned>((value + by - 1) / by);
}

}  // namespace

KernelLaunch fused_launch(const std::uint32_t* in, std::uint32_t* out, const FusedShape& s) {
  const std::uint64_t chunks = (s.in_count + s.chunk_count - 1) / s.chunk_count;
  if (s.chunk_count == s.result_count) {
    // With as many results as inputs, all chunks together are one contiguous range.
    const dim3 grid(ceil_div((s.in_count + 3) / 4, each_block), 1, 1);
    return {
        fused_each_kernel(), grid, dim3(each_block, 1, 1), in, out, s.in_count, s.depth, s.rounds};
  }
  const std::uint64_t outputs = std::min(most_outputs, s.result_count);
  const std::uint64_t words_per_output = (s.chunk_count + s.result_count - 1) / s.result_count;
  const std::uint64_t groups =
      std::clamp<std::uint64_t>(words_per_output, 1, fused_reduce_block / outputs);
  const dim3 grid(ceil_div(s.result_count, outputs),
                  static_cast<unsigned>(std::min(chunks, most_chunks)), 1);
  const dim3 block(static_cast<unsigned>(outputs), static_cast<unsigned>(groups), 1);
  return {fused_reduce_kernel(), grid,           block,   in,      out, s.in_count,
          s.chunk_count,         s.result_count, s.depth, s.rounds};
}

}  // namespace trilane
