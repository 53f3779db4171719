#include "tests/variants/planted/planted_kernels.hpp"

namespace trilane {

namespace {

__global__ void write_beyond(std::uint32_t* out, std::uint64_t count) { out[count] = 1; }

__global__ void copy_word(const std::uint32_t* in, std::uint32_t* out) { out[0] = in[0]; }

// Every thread passes the word on to its neighbour with no barrier in between.
__global__ void race(std::uint32_t* out) {
  __shared__ std::uint32_t words[64];
  words[threadIdx.x] = threadIdx.x;
  out[0] = words[(threadIdx.x + 1) % 64];
}

// Half of the threads wait at a barrier that the others never reach.
__global__ void divergent_barrier(std::uint32_t* out) {
  if (threadIdx.x % 2 == 0) __syncthreads();
  out[0] = threadIdx.x;
}

}  // namespace

const void* write_beyond_kernel() { return reinterpret_cast<const void*>(&write_beyond); }
const void* copy_word_kernel() { return reinterpret_cast<const void*>(&copy_word); }
const void* race_kernel() { return reinterpret_cast<const void*>(&race); }
const void* divergent_barrier_kernel() { return reinterpret_cast<const void*>(&divergent_barrier); }

}  // namespace trilane
