// Fused: one kernel reads the host's memory, works and writes back, for all chunks.
#include "kernels/fused.cu"
#include "tests/truth/plain.hpp"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load(trilane::fused_each);
  load(trilane::fused_reduce);

  const double start = now_us();
  std::uint32_t *in, *out;  // as the device sees them
  check(cudaHostGetDevicePointer(&in, job.in, 0));
  check(cudaHostGetDevicePointer(&out, job.out, 0));
  cudaStream_t origin;
  check(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  const double setup_us = now_us() - start;

  const std::uint64_t words_in = p.all_in() / 4;
  return measure("fused", job, setup_us, [&] {
    if (p.in_bytes == p.out_bytes) {
      trilane::fused_each<<<each_blocks(words_in), block, 0, origin>>>(in, out, words_in, p.depth,
                                                                       p.rounds);
    } else {
      const dim3 grid(ceil_div(p.out_words(), fused_outputs(p)), p.chunks);
      const dim3 threads(fused_outputs(p), fused_groups(p));
      trilane::fused_reduce<<<grid, threads, 0, origin>>>(in, out, words_in, p.in_words(),
                                                          p.out_words(), p.depth, p.rounds);
    }
    check(cudaGetLastError());
    check(cudaStreamSynchronize(origin));
  });
}
