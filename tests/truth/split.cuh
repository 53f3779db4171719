// A pass split over several GPUs by one host thread.
#pragma once

#include "tests/truth/transform.cuh"

namespace plain {

/// Lanes, events and memory of each GPU's own, for the chunks that the GPU gets. The first GPU is
/// current between passes.
struct Split {
  explicit Split(const SplitJob& split) : job(split) {
    const auto gpus = static_cast<unsigned>(job.gpus.size());
    for (unsigned gpu = 0; gpu < gpus; ++gpu) {
      enter(gpu);
      Preset share = job.preset;
      share.chunks = ceil_div(share.chunks - gpu, gpus);
      share.lanes = std::min(share.lanes, share.chunks);
      homes.emplace_back(share);
    }
    enter(0);
  }

  cudaStream_t origin() const { return homes[0].origin; }

  void enter(unsigned gpu) const { check(cudaSetDevice(job.gpus[gpu])); }

  /// Issues a chunk on its GPU, which becomes current.
  void issue(unsigned chunk) const {
    const auto gpus = static_cast<unsigned>(homes.size());
    const LanesWithMemory& home = homes[chunk % gpus];
    enter(chunk % gpus);
    issue_chunk(job, chunk, home.memory_of(chunk / gpus), home.of(chunk / gpus));
  }

  /// Issues all chunks, forked from the first GPU's origin and joined into it.
  void issue_all() const {
    check(cudaEventRecord(homes[0].forked, origin()));
    for (const LanesWithMemory& home : homes) home.start_after(homes[0].forked);
    for (unsigned chunk = 0; chunk < job.preset.chunks; ++chunk) issue(chunk);
    for (const LanesWithMemory& home : homes) home.join_into(origin());
    enter(0);
  }

  const SplitJob& job;
  std::vector<LanesWithMemory> homes;  // of each GPU
};

/// Loads the kernels on each GPU.
inline void load_transform(const SplitJob& job) {
  for (auto gpu = job.gpus.rbegin(); gpu != job.gpus.rend(); ++gpu) {
    check(cudaSetDevice(*gpu));
    load_transform();
  }
}

}  // namespace plain
