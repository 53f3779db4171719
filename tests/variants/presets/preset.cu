// The kernels of kernels/transform.cu, for the presets as pipeline files. They are copies, because
// the originals are in an unnamed namespace of the program; what they call is the same.
#include "../../../kernels/early.cuh"
#include "../../../kernels/mix.hpp"
#include "../../../kernels/quads.cuh"

using trilane::add_four;
using trilane::first_single;
using trilane::four_words;
using trilane::in_quads;
using trilane::let_next_start;
using trilane::mix;
using trilane::mix_four;
using trilane::store_four;
using trilane::transform_block;
using trilane::wait_for_kernel_in_front;

// A thread takes four words, by 16-byte accesses where alignment allows, and mixes them side by
// side. Threads without four words take the last one to three. Preceding kernels write only `out`.
// Aligned input is read before the wait for them, which precedes the rounds, so that in a plain
// launch both reads overlap.
__global__ void transform_each(const std::uint32_t* __restrict__ in,
                               std::uint32_t* __restrict__ out, std::uint64_t count,
                               std::uint32_t salt, std::uint32_t rounds) {
  let_next_start();
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t quads = in_quads(in, out) ? count / 4 : 0;
  uint4 word{};
  if (thread < quads) word = reinterpret_cast<const uint4*>(in)[thread];
  wait_for_kernel_in_front();
  if (thread < quads) {
    const uint4 sum = reinterpret_cast<const uint4*>(out)[thread];
    reinterpret_cast<uint4*>(out)[thread] = add_four(sum, mix_four(word, salt, rounds));
  }
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = first_single(thread, threads, quads); i < count; i += 4 * threads) {
    if (i + threads >= count) {
      out[i] += mix(in[i] ^ salt, rounds);
      return;
    }
    const uint4 sum = four_words(out, i, threads, count);
    const uint4 mixed = mix_four(four_words(in, i, threads, count), salt, rounds);
    store_four(out, i, threads, count, add_four(sum, mixed));
  }
}

// `stride` is a multiple of out_count, so all words of a thread belong to the same output and are
// summed in a register first. With at most as many outputs as threads, a block sums its threads up
// before it adds to each output once: additions to one address take turns.
__global__ void transform_reduce(const std::uint32_t* __restrict__ in,
                                 std::uint32_t* __restrict__ out, std::uint64_t in_count,
                                 std::uint64_t out_count, std::uint64_t stride, std::uint32_t salt,
                                 std::uint32_t rounds) {
  let_next_start();
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  __shared__ std::uint32_t sums[transform_block];
  const bool in_block = out_count <= transform_block;
  if (in_block) sums[threadIdx.x] = 0;
  std::uint32_t sum = 0;
  if (thread < stride) {
    std::uint64_t i = thread;
    for (; i + stride < in_count; i += 4 * stride) {
      const uint4 mixed = mix_four(four_words(in, i, stride, in_count), salt, rounds);
      sum += mixed.x + mixed.y;
      if (i + 2 * stride < in_count) sum += mixed.z;
      if (i + 3 * stride < in_count) sum += mixed.w;
    }
    if (i < in_count) sum += mix(in[i] ^ salt, rounds);
  }
  wait_for_kernel_in_front();
  const bool has_words = thread < stride && thread < in_count;
  if (!in_block) {
    if (has_words) atomicAdd(&out[thread % out_count], sum);
    return;
  }
  __syncthreads();
  if (has_words) atomicAdd(&sums[thread % out_count], sum);
  __syncthreads();
  if (threadIdx.x < out_count) atomicAdd(&out[threadIdx.x], sums[threadIdx.x]);
}
