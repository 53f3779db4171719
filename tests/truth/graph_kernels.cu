// Graph of kernels: kernels copy and clear, through mapped host memory. Captured once.
#include "kernels/move.cu"
#include "tests/truth/transform.cuh"

void copy(unsigned char* to, const unsigned char* from, std::uint64_t bytes, cudaStream_t stream) {
  trilane::copy_bytes<<<move_blocks(bytes), block, 0, stream>>>(from, to, bytes);
  check(cudaGetLastError());
}

void clear(unsigned char* to, std::uint64_t bytes, cudaStream_t stream) {
  trilane::clear_bytes<<<move_blocks(bytes), block, 0, stream>>>(to, bytes, 0);
  check(cudaGetLastError());
}

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();
  load(trilane::copy_bytes);
  load(trilane::clear_bytes);

  const double start = now_us();
  unsigned char *host_in, *host_out;  // as the device sees them
  check(cudaHostGetDevicePointer(&host_in, job.in, 0));
  check(cudaHostGetDevicePointer(&host_out, job.out, 0));
  const LanesWithMemory lanes(p);

  check(cudaStreamBeginCapture(lanes.origin, cudaStreamCaptureModeGlobal));
  lanes.fork();
  for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
    cudaStream_t stream = lanes.of(chunk);
    unsigned char* in = lanes.memory_of(chunk);
    unsigned char* out = in + p.in_bytes;
    copy(in, host_in + chunk * p.in_bytes, p.in_bytes, stream);
    clear(out, p.out_bytes, stream);
    for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
    copy(host_out + chunk * p.out_bytes, out, p.out_bytes, stream);
  }
  lanes.join();
  cudaGraphExec_t executable = captured(lanes.origin);
  const double setup_us = now_us() - start;

  return measure_launches("graph_kernels", job, setup_us, executable, lanes.origin);
}
