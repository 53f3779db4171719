// Graph of kernels: kernels copy and clear, through mapped host memory. Captured once.
#include "kernels/move.cu"
#include "tests/truth/transform.cuh"

using namespace plain;

void copy(unsigned char* to, const unsigned char* from, std::uint64_t bytes, cudaStream_t stream) {
  trilane::copy_bytes<<<move_blocks(bytes), block, 0, stream>>>(from, to, bytes);
  check(cudaGetLastError());
}

void clear(unsigned char* to, std::uint64_t bytes, cudaStream_t stream) {
  trilane::clear_bytes<<<move_blocks(bytes), block, 0, stream>>>(to, bytes, 0);
  check(cudaGetLastError());
}

int main(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();
  load(trilane::copy_bytes);
  load(trilane::clear_bytes);

  const double start = now_us();
  unsigned char *host_in, *host_out;  // as the device sees them
  check(cudaHostGetDevicePointer(&host_in, job.in, 0));
  check(cudaHostGetDevicePointer(&host_out, job.out, 0));
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

  check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  check(cudaEventRecord(forked, origin));
  for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, forked));
  for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
    cudaStream_t stream = streams[chunk % p.lanes];
    unsigned char* in = memory[chunk % p.lanes];
    unsigned char* out = in + p.in_bytes;
    copy(in, host_in + chunk * p.in_bytes, p.in_bytes, stream);
    clear(out, p.out_bytes, stream);
    for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
    copy(host_out + chunk * p.out_bytes, out, p.out_bytes, stream);
  }
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    check(cudaEventRecord(done[lane], streams[lane]));
    check(cudaStreamWaitEvent(origin, done[lane]));
  }
  cudaGraph_t graph;
  check(cudaStreamEndCapture(origin, &graph));
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphUpload(executable, origin));
  check(cudaStreamSynchronize(origin));
  const double setup_us = now_us() - start;

  return measure("graph_kernels", job, setup_us, [&] {
    check(cudaGraphLaunch(executable, origin));
    check(cudaStreamSynchronize(origin));
  });
}
