// A recording of a pass with batched copies, which no graph can hold.
#pragma once

#include <functional>
#include <vector>

#include "common/measure/gpu/copy_batch.hpp"
#include "common/measure/gpu/recording.hpp"

namespace trilane {

/// The part of a pass that is captured: memsets and kernels between copies.
using IssueGroups = std::function<void(const std::vector<StageGroup>&, cudaStream_t)>;

class BatchedRecording {
 public:
  /// Makes a batch of each segment of copies in one direction, and captures `issue` for the stages
  /// between them.
  BatchedRecording(const Job& job, const PassScratch& scratch, const IssueGroups& issue);

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
