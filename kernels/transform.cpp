#include "kernels/transform.hpp"

#include <algorithm>

#include "kernels/mix.hpp"

namespace trilane {

namespace {

// About as many threads as an H200 can hold at once (132 SMs x 2048). Beyond that a thread takes
// several words, which saves atomic additions.
constexpr std::uint64_t target_threads = 1u << 18;

dim3 blocks_for(std::uint64_t threads) {
  return {static_cast<unsigned>((threads + transform_block - 1) / transform_block), 1, 1};
}

}  // namespace

KernelLaunch transform_launch(const std::uint32_t* in, std::uint32_t* out, std::uint64_t in_count,
                              std::uint64_t out_count, std::uint32_t kernel, std::uint32_t rounds) {
  const dim3 block(transform_block, 1, 1);
  if (in_count == out_count) {
    return {transform_each_kernel(),
            blocks_for((in_count + 3) / 4),
            block,
            in,
            out,
            in_count,
            salt(kernel),
            rounds};
  }
  const std::uint64_t words_per_output = (in_count + out_count - 1) / out_count;
  const std::uint64_t groups =
      std::clamp<std::uint64_t>(target_threads / out_count, 1, words_per_output);
  const std::uint64_t stride = groups * out_count;
  return {transform_reduce_kernel(),
          blocks_for(stride),
          block,
          in,
          out,
          in_count,
          out_count,
          stride,
          salt(kernel),
          rounds};
}

}  // namespace trilane
