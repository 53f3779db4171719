// Streams: chunks are dealt to lanes in turn, each a stream with its own device memory.
#include "tests/truth/transform.cuh"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const LanesWithMemory lanes(p);
  const double setup_us = now_us() - start;

  return measure("streams", job, setup_us, [&] {
    lanes.fork();

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      issue_chunk(job, chunk, lanes.memory_of(chunk), lanes.of(chunk));
    }

    lanes.join();
    check(cudaStreamSynchronize(lanes.origin));
  });
}
