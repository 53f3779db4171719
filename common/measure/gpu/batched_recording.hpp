// A recording of a pass with batched copies, which no graph can hold.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/stages/pass_scratch.hpp"
#include "common/model/workload/steps/stage_runs.hpp"

namespace trilane {

/// Copies that are passed to the runtime as one batch.
class CopyBatch {
 public:
  /// Collects the copies of all steps of `runs`, each to or from its chunk in `scratch`. They run
  /// in any order. Copies of 0 bytes are left out, because the runtime refuses them.
  CopyBatch(const Job& job, const std::vector<StageRun>& runs, const PassScratch& scratch);

  /// Enqueues all of them in one call, in the order of `stream`. The runtime refuses the legacy
  /// default stream and a capturing stream. Throws CudaError.
  void enqueue(cudaStream_t stream) const;

 private:
  void add(void* to, const void* from, std::size_t bytes);

  std::vector<void*> to_;
  std::vector<const void*> from_;
  std::vector<std::size_t> bytes_;
};

/// The part of a pass that is captured: memsets and kernels between copies.
using IssueRuns = std::function<void(const std::vector<StageRun>&, cudaStream_t)>;

class BatchedRecording {
 public:
  /// Makes a batch of each segment of copies in one direction, and captures `issue` for the stages
  /// between them.
  BatchedRecording(const Job& job, const PassScratch& scratch, const IssueRuns& issue);

  /// Enqueues the batches and launches the graphs, in the order of the stages.
  void launch(cudaStream_t origin) const;

  /// Returns the facts of all graphs, added up.
  std::vector<Count> evidence() const;

 private:
  std::vector<bool> is_batch_;  // of each segment of the pass
  std::vector<CopyBatch> batches_;
  std::vector<Recording> graphs_;
};

}  // namespace trilane
