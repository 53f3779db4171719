// Copies that are passed to the runtime as one batch.
#pragma once

#include <cstddef>
#include <vector>

#include "common/measure/gpu/stages/pass_scratch.hpp"
#include "common/model/workload/steps/stage_runs.hpp"

namespace trilane {

class CopyBatch {
 public:
  /// Collects the copies of all steps of `groups`, each to or from its chunk in `scratch`. They run
  /// in any order. Copies of 0 bytes are left out, because the runtime refuses them.
  CopyBatch(const std::vector<StageGroup>& groups, const PassScratch& scratch);

  /// Enqueues all of them in one call, in the order of `stream`. The runtime refuses the legacy
  /// default stream and a capturing stream. Throws CudaError.
  void enqueue(cudaStream_t stream) const;

 private:
  void add(void* to, const void* from, std::size_t bytes);

  std::vector<void*> to_;
  std::vector<const void*> from_;
  std::vector<std::size_t> bytes_;
};

}  // namespace trilane
