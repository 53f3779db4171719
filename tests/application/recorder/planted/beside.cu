// Kernels that could run side by side, and do not. The second argument names the case:
// - "stream", "chain": two or four in one stream; "event": an event orders them needlessly;
// - "queue_2", "queue_4", "queues": streams of two kernels each share hardware queues;
// - "threads", "shared", "registers": the first one's blocks leave no room;
// - "beside": they run side by side; "data": the second one needs the first one's data.
// A third argument, "changed", follows the advice, which leaves the same result.
#include <cstring>
#include <string>

#include "planted_app.hpp"

namespace {

constexpr int each = 256, rounds = 20'000;

__device__ bool counts() { return blockIdx.x == 0 && threadIdx.x < each; }

/// Takes some 100 us with any number of blocks that fit.
__global__ void plain(std::uint32_t* data) {
  std::uint32_t word = counts() ? data[threadIdx.x] : threadIdx.x;
  for (int i = 0; i < rounds; ++i) word = (word ^ word >> 15) * 2654435761u;
  if (counts()) data[threadIdx.x] = word;
}

/// Needs all registers that 512 threads of a block may have.
__global__ void __launch_bounds__(512, 1) many_registers(std::uint32_t* data) {
  constexpr int words = 104;
  std::uint32_t word[words];
#pragma unroll
  for (int k = 0; k < words; ++k) word[k] = counts() ? data[threadIdx.x] + k : threadIdx.x;
  for (int i = 0; i < rounds / words; ++i) {
#pragma unroll
    for (int k = 0; k < words; ++k) word[k] = word[k] * 2654435761u + word[(k + 1) % words];
  }
  std::uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < words; ++k) sum += word[k];
  if (counts()) data[threadIdx.x] = sum;
}

struct Work {
  cudaStream_t streams[4];
  std::uint32_t* data[4];
  cudaEvent_t done;
};

void launch(std::uint32_t* data, cudaStream_t stream, int blocks = 4, int threads = each,
            int shared = 0) {
  plain<<<blocks, threads, shared, stream>>>(data);
  CHECK(cudaGetLastError());
}

/// Launches the iteration's kernels.
void launch_all(const std::string& which, bool changed, int multiprocessors, const Work& to) {
  if (which == "stream" || which == "chain") {
    const int kernels = which == "stream" ? 2 : 4;
    for (int i = 0; i < kernels; ++i) launch(to.data[i], to.streams[changed ? i : 0]);
  } else if (which == "event") {
    launch(to.data[0], to.streams[0]);
    CHECK(cudaEventRecord(to.done, to.streams[0]));
    if (!changed) CHECK(cudaStreamWaitEvent(to.streams[1], to.done, 0));
    launch(to.data[1], to.streams[1]);
  } else if (which == "queue_2" || which == "queue_4" || which == "queues") {
    for (int i = 0; i < (which == "queue_2" ? 2 : 4); ++i) {
      launch(to.data[i], to.streams[i]);
      launch(to.data[i], to.streams[i]);
    }
  } else if (which == "threads") {
    launch(to.data[0], to.streams[0], changed ? 4 : 2 * multiprocessors, 1024);
    launch(to.data[1], to.streams[1]);
  } else if (which == "shared") {
    launch(to.data[0], to.streams[0], multiprocessors, each, changed ? 0 : 200 << 10);
    launch(to.data[1], to.streams[1], 4, each, changed ? 0 : 100 << 10);
  } else if (which == "registers") {
    const int blocks = changed ? 4 : multiprocessors;
    many_registers<<<blocks, 512, 0, to.streams[0]>>>(to.data[0]);
    CHECK(cudaGetLastError());
    launch(to.data[1], to.streams[1], 4, 1024);
  } else {
    launch(to.data[0], to.streams[0]);
    launch(to.data[which == "data" ? 0 : 1], to.streams[which == "data" ? 0 : 1]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc > 2 ? argv[2] : "beside";
  const bool changed = argc > 3 && std::strcmp(argv[3], "changed") == 0;
  if (which.starts_with("queue") && !changed) {
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", which == "queues" ? "2" : "1", 1);
  }
  const bool one_stream = !changed && (which == "stream" || which == "chain");
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  Work work;
  std::uint32_t* out = pinned();
  for (int i = 0; i < 4; ++i) {
    work.streams[i] = new_stream();
    work.data[i] = on_device();
    fill(out, 31 + static_cast<std::uint32_t>(i));
    CHECK(cudaMemcpy(work.data[i], out, bytes, cudaMemcpyHostToDevice));
  }
  work.done = new_event();
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    launch_all(which, changed, multiprocessors, work);
    for (int k = 0; k < 4; ++k) {
      CHECK(cudaMemcpyAsync(out + k * each, work.data[k], each * 4, cudaMemcpyDeviceToHost,
                            work.streams[one_stream ? 0 : k]));
    }
    CHECK(cudaDeviceSynchronize());
    checksum.add(out, 4 * each);
  }
  checksum.print();
}
