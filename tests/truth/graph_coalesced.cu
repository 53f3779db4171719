// Coalesced graph: one copy in each direction and one memset for all chunks; between them kernels
// for each chunk, on the lanes. Captured once.
#include "tests/truth/transform.cuh"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const Lanes lanes(p);
  unsigned char *in, *out;
  check(cudaMalloc(&in, p.all_in()));
  check(cudaMalloc(&out, p.all_out()));

  check(cudaStreamBeginCapture(lanes.origin, cudaStreamCaptureModeGlobal));
  check(cudaMemcpyAsync(in, job.in, p.all_in(), cudaMemcpyHostToDevice, lanes.origin));
  check(cudaMemsetAsync(out, 0, p.all_out(), lanes.origin));
  lanes.fork();
  for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
    for (unsigned k = 0; k < p.depth; ++k) {
      transform(p, in + chunk * p.in_bytes, out + chunk * p.out_bytes, k, lanes.of(chunk));
    }
  }
  lanes.join();
  check(cudaMemcpyAsync(job.out, out, p.all_out(), cudaMemcpyDeviceToHost, lanes.origin));
  cudaGraphExec_t executable = captured(lanes.origin);
  const double setup_us = now_us() - start;

  return measure_launches("graph_coalesced", job, setup_us, executable, lanes.origin);
}
