// Graph: the streams' code is captured once, and each pass is one launch.
#include "tests/truth/transform.cuh"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const LanesWithMemory lanes(p);

  check(cudaStreamBeginCapture(lanes.origin, cudaStreamCaptureModeGlobal));
  lanes.fork();
  for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
    issue_chunk(job, chunk, lanes.memory_of(chunk), lanes.of(chunk));
  }
  lanes.join();
  cudaGraphExec_t executable = captured(lanes.origin);
  const double setup_us = now_us() - start;

  return measure_launches("graph", job, setup_us, executable, lanes.origin);
}
