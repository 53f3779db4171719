// Streams: chunks are dealt to lanes in turn, each a stream with its own device memory.
#include "tests/truth/transform.cuh"

using namespace plain;

int main(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  cudaStream_t origin;
  check(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  cudaEvent_t forked;
  check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  std::vector<cudaStream_t> streams(p.lanes);
  std::vector<cudaEvent_t> done(p.lanes);
  std::vector<unsigned char*> memory(p.lanes);
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    check(cudaStreamCreateWithFlags(&streams[lane], cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&done[lane], cudaEventDisableTiming));
    check(cudaMalloc(&memory[lane], p.in_bytes + p.out_bytes));
  }
  const double setup_us = now_us() - start;

  return measure("streams", job, setup_us, [&] {
    check(cudaEventRecord(forked, origin));
    for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, forked));

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      cudaStream_t stream = streams[chunk % p.lanes];
      unsigned char* in = memory[chunk % p.lanes];
      unsigned char* out = in + p.in_bytes;
      check(cudaMemcpyAsync(in, job.in + chunk * p.in_bytes, p.in_bytes, cudaMemcpyHostToDevice,
                            stream));
      check(cudaMemsetAsync(out, 0, p.out_bytes, stream));
      for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
      check(cudaMemcpyAsync(job.out + chunk * p.out_bytes, out, p.out_bytes, cudaMemcpyDeviceToHost,
                            stream));
    }

    for (unsigned lane = 0; lane < p.lanes; ++lane) {
      check(cudaEventRecord(done[lane], streams[lane]));
      check(cudaStreamWaitEvent(origin, done[lane]));
    }
    check(cudaStreamSynchronize(origin));
  });
}
