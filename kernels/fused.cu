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

// The four words are mixed side by side: one chain of rounds is all latency.
__device__ uint4 mixed(uint4 word, std::uint32_t depth, std::uint32_t rounds) {
  uint4 sum{0, 0, 0, 0};
  for (std::uint32_t kernel = 0; kernel < depth; ++kernel) {
    const std::uint32_t with = salt(kernel);
    std::uint32_t words[4] = {word.x ^ with, word.y ^ with, word.z ^ with, word.w ^ with};
    mix_each(words, rounds);
    sum.x += words[0];
    sum.y += words[1];
    sum.z += words[2];
    sum.w += words[3];
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
  for (std::uint64_t i = first_single(thread, threads, quads); i < count; i += threads) {
    out[i] = mixed(in[i], depth, rounds);
  }
}

// Along x the threads of a block are outputs; along y they are groups that share an output's words.
__global__ void fused_reduce(const std::uint32_t* __restrict__ in, std::uint32_t* __restrict__ out,
                             std::uint64_t in_count, std::uint64_t chunk_count,
                             std::uint64_t result_count, std::uint32_t depth,
                             std::uint32_t rounds) {
  __shared__ std::uint32_t sums[1024];
  const std::uint64_t output = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t chunks = (in_count + chunk_count - 1) / chunk_count;
  for (std::uint64_t chunk = blockIdx.y; chunk < chunks; chunk += gridDim.y) {
    const std::uint64_t begin = chunk * chunk_count;
    const std::uint64_t words = min(chunk_count, in_count - begin);
    const std::uint64_t outputs = min(result_count, words);
    std::uint32_t sum = 0;
    if (output < outputs) {
      // Four words under way at a time: a read over the link takes long.
      const std::uint64_t step = blockDim.y * outputs;
      std::uint64_t i = begin + output + threadIdx.y * outputs;
      for (; i + 3 * step < begin + words; i += 4 * step) {
        const uint4 four{in[i], in[i + step], in[i + 2 * step], in[i + 3 * step]};
        const uint4 each = mixed(four, depth, rounds);
        sum += each.x + each.y + each.z + each.w;
      }
      for (; i < begin + words; i += step) sum += mixed(in[i], depth, rounds);
    }
    sums[threadIdx.y * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && output < outputs) {
      for (unsigned group = 1; group < blockDim.y; ++group) {
        sum += sums[group * blockDim.x + threadIdx.x];
      }
      out[chunk * result_count + output] = sum;
    }
    __syncthreads();
  }
}

}  // namespace

const void* fused_each_kernel() { return reinterpret_cast<const void*>(&fused_each); }

const void* fused_reduce_kernel() { return reinterpret_cast<const void*>(&fused_reduce); }

}  // namespace trilane
