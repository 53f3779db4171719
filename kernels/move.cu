#include "kernels/move.hpp"
#include "kernels/quads.cuh"

namespace trilane {

namespace {

using Byte = unsigned char;

/// One thread of a grid along x.
struct Thread {
  std::uint64_t number = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t all = std::uint64_t{gridDim.x} * blockDim.x;
};

// In words of 16 bytes, then of 4, then byte by byte, as far as alignment and size allow.
__global__ void copy_bytes(const Byte* __restrict__ from, Byte* __restrict__ to,
                           std::uint64_t bytes) {
  const Thread thread;
  const std::uint64_t quads = in_quads(from, to) ? bytes / 16 : 0;
  const std::uint64_t words = in_words(from, to) ? bytes / 4 : 0;
#pragma unroll 4
  for (std::uint64_t i = thread.number; i < quads; i += thread.all) {
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  }
  const auto* in = reinterpret_cast<const std::uint32_t*>(from);
  auto* out = reinterpret_cast<std::uint32_t*>(to);
  for (std::uint64_t i = quads * 4 + thread.number; i < words; i += 4 * thread.all) {
    store_four(out, i, thread.all, words, four_words(in, i, thread.all, words));
  }
  for (std::uint64_t i = words * 4 + thread.number; i < bytes; i += thread.all) to[i] = from[i];
}

__global__ void clear_bytes(Byte* to, std::uint64_t bytes, std::uint32_t word) {
  const Thread thread;
  const std::uint64_t quads = in_quads(to, to) ? bytes / 16 : 0;
  const std::uint64_t words = in_words(to, to) ? bytes / 4 : 0;
  for (std::uint64_t i = thread.number; i < quads; i += thread.all) {
    reinterpret_cast<uint4*>(to)[i] = uint4{word, word, word, word};
  }
  for (std::uint64_t i = quads * 4 + thread.number; i < words; i += thread.all) {
    reinterpret_cast<std::uint32_t*>(to)[i] = word;
  }
  for (std::uint64_t i = words * 4 + thread.number; i < bytes; i += thread.all) {
    to[i] = static_cast<Byte>(word);
  }
}

}  // namespace

const void* copy_kernel() { return reinterpret_cast<const void*>(&copy_bytes); }

const void* clear_kernel() { return reinterpret_cast<const void*>(&clear_bytes); }

}  // namespace trilane
