// Pool: as streams, but each chunk takes its device memory from a pool and gives it back.
#include "tests/truth/transform.cuh"

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

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const Lanes lanes(p);
  cudaMemPool_t pool = make_pool();
  const double setup_us = now_us() - start;

  return measure("pool", job, setup_us, [&] {
    lanes.fork();

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      cudaStream_t stream = lanes.of(chunk);
      unsigned char* in;
      check(cudaMallocFromPoolAsync(&in, p.in_bytes + p.out_bytes, pool, stream));
      issue_chunk(job, chunk, in, stream);
      check(cudaFreeAsync(in, stream));
    }

    lanes.join();
    check(cudaStreamSynchronize(lanes.origin));
  });
}
