#include "kernels/fused.hpp"
#include "kernels/mix.hpp"
#include "kernels/quads.cuh"

namespace trilane {

namespace {

__device__ std::uint32_t mixed(std::uint32_t word, std::uint32_t depth, std::uint32_t rounds) {
  std::uint32_t sum = 0;
  for (std::uint32_t kernel = 0; kernel < depth; ++kernel) sum += mix(word ^ salt(kernel), rounds);
  return sum;
}

__device__ uint4 mixed(uint4 word, std::uint32_t depth, std::uint32_t rounds) {
  uint4 sum{0, 0, 0, 0};
  for (std::uint32_t kernel = 0; kernel < depth; ++kernel) {
    sum = add_four(sum, mix_four(word, salt(kernel), rounds));
  }
  return sum;
}

__global__ void fused_each(const std::uint32_t* __restrict__ in, std::uint32_t* __restrict__ out,
                           std::uint64_t count, std::uint32_t depth, std::uint32_t rounds) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t quads = in_quads(in, out) ? count / 4 : 0;
  if (thread < quads) {
    reinterpret_cast<uint4*>(out)[thread] =
        mixed(reinterpret_cast<const uint4*>(in)[thread], depth, rounds);
  }
  for (std::uint64_t i = first_single(thread, threads, quads); i < count; i += 4 * threads) {
    if (i + threads >= count) {
      out[i] = mixed(in[i], depth, rounds);
      return;
    }
    store_four(out, i, threads, count, mixed(four_words(in, i, threads, count), depth, rounds));
  }
}

// Along x the threads of a block are outputs; along y they are groups that share an output's words.
__global__ void fused_reduce(const std::uint32_t* __restrict__ in, std::uint32_t* __restrict__ out,
                             std::uint64_t in_count, std::uint64_t chunk_count,
                             std::uint64_t result_count, std::uint32_t depth,
                             std::uint32_t rounds) {
  __shared__ std::uint32_t sums[fused_reduce_block];
  const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
  const std::uint64_t output = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t chunks = (in_count + chunk_count - 1) / chunk_count;
  for (std::uint64_t chunk = blockIdx.y; chunk < chunks; chunk += gridDim.y) {
    const std::uint64_t begin = chunk * chunk_count;
    const std::uint64_t words = min(chunk_count, in_count - begin);
    const std::uint64_t outputs = min(result_count, words);
    std::uint32_t sum = 0;
    if (output < outputs) {
      // Four words under way at a time: a read over the link takes long.
      const std::uint64_t step = blockDim.y * outputs, end = begin + words;
      std::uint64_t i = begin + output + threadIdx.y * outputs;
      for (; i + step < end; i += 4 * step) {
        const uint4 each = mixed(four_words(in, i, step, end), depth, rounds);
        sum += each.x + each.y;
        if (i + 2 * step < end) sum += each.z;
        if (i + 3 * step < end) sum += each.w;
      }
      if (i < end) sum += mixed(in[i], depth, rounds);
    }
    sums[own] = sum;
    __syncthreads();
    for (unsigned groups = blockDim.y; groups > 1; groups = (groups + 1) / 2) {
      const unsigned half = (groups + 1) / 2;
      if (threadIdx.y + half < groups) sums[own] += sums[own + half * blockDim.x];
      __syncthreads();
    }
    if (threadIdx.y == 0 && output < outputs) out[chunk * result_count + output] = sums[own];
  }
}

}  // namespace

const void* fused_each_kernel() { return reinterpret_cast<const void*>(&fused_each); }

const void* fused_reduce_kernel() { return reinterpret_cast<const void*>(&fused_reduce); }

}  // namespace trilane
