// Malloc: as streams, but each chunk takes its device memory from cudaMalloc, and the host waits
// for the chunk before it frees the memory.
#include "tests/truth/transform.cuh"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const Lanes lanes(p);
  const double setup_us = now_us() - start;

  return measure("malloc", job, setup_us, [&] {
    lanes.fork();

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      cudaStream_t stream = lanes.of(chunk);
      unsigned char* in;
      check(cudaMalloc(&in, p.in_bytes + p.out_bytes));
      issue_chunk(job, chunk, in, stream);
      check(cudaStreamSynchronize(stream));
      check(cudaFree(in));
    }

    lanes.join();
    check(cudaStreamSynchronize(lanes.origin));
  });
}
