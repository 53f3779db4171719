// The kernels of a chunk, the lanes of a pass and its capture.
#pragma once

#include "kernels/transform.cu"
#include "tests/truth/plain.hpp"

namespace plain {

/// Launches the `k`-th kernel of a chunk, from device memory to device memory.
inline void transform(const Preset& p, const unsigned char* from, unsigned char* to, unsigned k,
                      cudaStream_t stream) {
  const auto* const in = reinterpret_cast<const std::uint32_t*>(from);
  auto* const out = reinterpret_cast<std::uint32_t*>(to);
  if (p.in_bytes == p.out_bytes) {
    trilane::transform_each<<<each_blocks(p.in_words()), block, 0, stream>>>(
        in, out, p.in_words(), trilane::salt(k), p.rounds);
  } else {
    const std::uint64_t threads = reduce_threads(p);
    trilane::transform_reduce<<<ceil_div(threads, block), block, 0, stream>>>(
        in, out, p.in_words(), p.out_words(), threads, trilane::salt(k), p.rounds);
  }
  check(cudaGetLastError());
}

/// Loads both kernels.
inline void load_transform() {
  load(trilane::transform_each);
  load(trilane::transform_reduce);
}

/// Issues a chunk's copies, memset and kernels. Its output follows its input in device memory.
inline void issue_chunk(const Job& job, unsigned chunk, unsigned char* in, cudaStream_t stream) {
  const Preset& p = job.preset;
  unsigned char* out = in + p.in_bytes;
  check(
      cudaMemcpyAsync(in, job.in + chunk * p.in_bytes, p.in_bytes, cudaMemcpyHostToDevice, stream));
  check(cudaMemsetAsync(out, 0, p.out_bytes, stream));
  for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
  check(cudaMemcpyAsync(job.out + chunk * p.out_bytes, out, p.out_bytes, cudaMemcpyDeviceToHost,
                        stream));
}

/// A stream for each lane, which start and end a pass together with the origin.
struct Lanes {
  explicit Lanes(const Preset& p) : streams(p.lanes), done(p.lanes) {
    check(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    for (unsigned lane = 0; lane < p.lanes; ++lane) {
      check(cudaStreamCreateWithFlags(&streams[lane], cudaStreamNonBlocking));
      check(cudaEventCreateWithFlags(&done[lane], cudaEventDisableTiming));
    }
  }

  cudaStream_t of(unsigned chunk) const { return streams[chunk % streams.size()]; }

  void fork() const {
    check(cudaEventRecord(forked, origin));
    start_after(forked);
  }

  void start_after(cudaEvent_t event) const {
    for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, event));
  }

  void join() const { join_into(origin); }

  void join_into(cudaStream_t stream) const {
    for (std::size_t lane = 0; lane < streams.size(); ++lane) {
      check(cudaEventRecord(done[lane], streams[lane]));
      check(cudaStreamWaitEvent(stream, done[lane]));
    }
  }

  cudaStream_t origin;
  cudaEvent_t forked;
  std::vector<cudaStream_t> streams;
  std::vector<cudaEvent_t> done;
};

/// Lanes with device memory for a chunk each.
struct LanesWithMemory : Lanes {
  explicit LanesWithMemory(const Preset& p) : Lanes(p), memory(p.lanes) {
    for (unsigned char*& of_lane : memory) check(cudaMalloc(&of_lane, p.in_bytes + p.out_bytes));
  }

  unsigned char* memory_of(unsigned chunk) const { return memory[chunk % memory.size()]; }

  std::vector<unsigned char*> memory;
};

/// Ends a capture. Returns its graph, ready for a launch.
inline cudaGraphExec_t captured(cudaStream_t origin) {
  cudaGraph_t graph;
  check(cudaStreamEndCapture(origin, &graph));
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphUpload(executable, origin));
  check(cudaStreamSynchronize(origin));
  return executable;
}

/// Measures passes that are one launch each.
inline int measure_launches(const char* variant, const Job& job, double setup_us,
                            cudaGraphExec_t executable, cudaStream_t origin) {
  return measure(variant, job, setup_us, [&] {
    check(cudaGraphLaunch(executable, origin));
    check(cudaStreamSynchronize(origin));
  });
}

}  // namespace plain
