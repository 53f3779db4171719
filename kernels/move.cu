#include "kernels/move.hpp"
#include "kernels/quads.cuh"

namespace trilane {

namespace {

__global__ void copy_words(const std::uint32_t* __restrict__ from, std::uint32_t* __restrict__ to,
                           std::uint64_t count) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t quads = in_quads(from, to) ? count / 4 : 0;
#pragma unroll 4
  for (std::uint64_t i = thread; i < quads; i += threads) {
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  }
  for (std::uint64_t i = quads * 4 + thread; i < count; i += threads) to[i] = from[i];
}

__global__ void clear_words(std::uint32_t* to, std::uint64_t count) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t quads = in_quads(to, to) ? count / 4 : 0;
  for (std::uint64_t i = thread; i < quads; i += threads) {
    reinterpret_cast<uint4*>(to)[i] = uint4{0, 0, 0, 0};
  }
  for (std::uint64_t i = quads * 4 + thread; i < count; i += threads) to[i] = 0;
}

}  // namespace

const void* copy_kernel() { return reinterpret_cast<const void*>(&copy_words); }

const void* clear_kernel() { return reinterpret_cast<const void*>(&clear_words); }

}  // namespace trilane
