// Pool: as streams, but each chunk takes its device memory from a pool and gives it back.
#include "tests/truth/transform.cuh"

using namespace plain;

// Returns a pool that keeps its memory, reuses memory ordered by events and has no other reuse
// policy.
cudaMemPool_t make_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool;
  check(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t all = UINT64_MAX;
  int on = 1, off = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &on));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off));
  return pool;
}

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
  cudaMemPool_t pool = make_pool();
  const double setup_us = now_us() - start;

  return measure("pool", job, setup_us, [&] {
    check(cudaEventRecord(forked, origin));
    for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, forked));

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      cudaStream_t stream = streams[chunk % p.lanes];
      unsigned char* in;
      check(cudaMallocFromPoolAsync(&in, p.in_bytes + p.out_bytes, pool, stream));
      unsigned char* out = in + p.in_bytes;
      check(cudaMemcpyAsync(in, job.in + chunk * p.in_bytes, p.in_bytes, cudaMemcpyHostToDevice,
                            stream));
      check(cudaMemsetAsync(out, 0, p.out_bytes, stream));
      for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
      check(cudaMemcpyAsync(job.out + chunk * p.out_bytes, out, p.out_bytes, cudaMemcpyDeviceToHost,
                            stream));
      check(cudaFreeAsync(in, stream));
    }

    for (unsigned lane = 0; lane < p.lanes; ++lane) {
      check(cudaEventRecord(done[lane], streams[lane]));
      check(cudaStreamWaitEvent(origin, done[lane]));
    }
    check(cudaStreamSynchronize(origin));
  });
}
