// Coalesced graph: one copy in each direction and one memset for all chunks; between them kernels
// for each chunk, on the lanes. Captured once.
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
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    check(cudaStreamCreateWithFlags(&streams[lane], cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&done[lane], cudaEventDisableTiming));
  }
  unsigned char *in, *out;
  check(cudaMalloc(&in, p.all_in()));
  check(cudaMalloc(&out, p.all_out()));

  check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  check(cudaMemcpyAsync(in, job.in, p.all_in(), cudaMemcpyHostToDevice, origin));
  check(cudaMemsetAsync(out, 0, p.all_out(), origin));
  check(cudaEventRecord(forked, origin));
  for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, forked));
  for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
    for (unsigned k = 0; k < p.depth; ++k) {
      transform(p, in + chunk * p.in_bytes, out + chunk * p.out_bytes, k, streams[chunk % p.lanes]);
    }
  }
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    check(cudaEventRecord(done[lane], streams[lane]));
    check(cudaStreamWaitEvent(origin, done[lane]));
  }
  check(cudaMemcpyAsync(job.out, out, p.all_out(), cudaMemcpyDeviceToHost, origin));
  cudaGraph_t graph;
  check(cudaStreamEndCapture(origin, &graph));
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphUpload(executable, origin));
  check(cudaStreamSynchronize(origin));
  const double setup_us = now_us() - start;

  return measure("graph_coalesced", job, setup_us, [&] {
    check(cudaGraphLaunch(executable, origin));
    check(cudaStreamSynchronize(origin));
  });
}
