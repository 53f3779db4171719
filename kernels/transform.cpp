#include "kernels/transform.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "kernels/mix.hpp"

namespace trilane {

namespace {

constexpr unsigned block_size = 256;

// Threads that fill today's largest GPU (132 SMs x 2048) twice over at most; beyond that a thread
// takes several words, which saves atomic additions.
constexpr std::uint64_t target_threads = 1u << 18;

dim3 blocks_for(std::uint64_t threads) {
  return {static_cast<unsigned>((threads + block_size - 1) / block_size), 1, 1};
}

}  // namespace

TransformLaunch::TransformLaunch(const std::uint32_t* in, std::uint32_t* out,
                                 std::uint64_t in_count, std::uint64_t out_count,
                                 std::uint32_t kernel, std::uint32_t rounds)
    : block(block_size, 1, 1),
      in_(in),
      out_(out),
      in_count_(in_count),
      out_count_(out_count),
      stride_(0),
      salt_(salt(kernel)),
      rounds_(rounds) {
  if (in_count == out_count) {
    function = transform_each_kernel();
    grid = blocks_for((in_count + 3) / 4);
  } else {
    const std::uint64_t words_per_output = (in_count + out_count - 1) / out_count;
    const std::uint64_t groups =
        std::clamp<std::uint64_t>(target_threads / out_count, 1, words_per_output);
    function = transform_reduce_kernel();
    stride_ = groups * out_count;
    grid = blocks_for(stride_);
  }
}

std::array<void*, 7> TransformLaunch::arguments() {
  return {&in_, &out_, &in_count_, &out_count_, &stride_, &salt_, &rounds_};
}

cudaError_t load_kernels() {
  cudaFuncAttributes attributes{};
  const cudaError_t each = cudaFuncGetAttributes(&attributes, transform_each_kernel());
  if (each != cudaSuccess) return each;
  return cudaFuncGetAttributes(&attributes, transform_reduce_kernel());
}

}  // namespace trilane
