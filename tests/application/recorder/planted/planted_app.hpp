// Shared parts of the planted applications. Each is a small program as a CUDA user writes it, takes
// the number of iterations, and prints a checksum of its result: the same with and without a
// recorder.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
  std::exit(9);
}
#define CHECK(call) check(call, __FILE__, __LINE__)

/// Returns the first argument, or by default more than a recorder needs.
inline int iterations(int argc, char** argv) { return argc > 1 ? std::atoi(argv[1]) : 200; }

constexpr int words = 1 << 16;
constexpr std::size_t bytes = words * sizeof(std::uint32_t);

inline void fill(std::uint32_t* data, std::uint32_t seed) {
  for (int i = 0; i < words; ++i)
    data[i] = seed * 2654435761u + static_cast<std::uint32_t>(i) * 40503u;
}

/// FNV-1a over everything that was added.
class Checksum {
 public:
  void add(const std::uint32_t* data, int count = words) {
    for (int i = 0; i < count; ++i) sum_ = (sum_ ^ data[i]) * 0x100000001b3;
  }
  void print() const { std::printf("checksum %016llx\n", static_cast<unsigned long long>(sum_)); }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

__global__ static void mix(const std::uint32_t* in, std::uint32_t* out, int count,
                           std::uint32_t salt) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = (in[i] ^ salt) * 2654435761u + 1;
}

inline std::uint32_t* on_device() {
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, bytes));
  return static_cast<std::uint32_t*>(memory);
}
inline std::uint32_t* pinned() {
  void* memory = nullptr;
  CHECK(cudaMallocHost(&memory, bytes));
  return static_cast<std::uint32_t*>(memory);
}
inline cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}
inline cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}
inline void launch_mix(const std::uint32_t* in, std::uint32_t* out, cudaStream_t stream,
                       std::uint32_t salt = 7, int count = words) {
  mix<<<static_cast<unsigned>(count + 255) / 256, 256, 0, stream>>>(in, out, count, salt);
  CHECK(cudaGetLastError());
}
