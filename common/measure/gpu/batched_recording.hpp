// A recording of a pass around batches of copies, which no graph can hold.
#pragma once

#include <functional>
#include <vector>

#include "common/measure/gpu/copy_batch.hpp"
#include "common/measure/gpu/recording.hpp"

namespace trilane {

/// What a capture records of a pass: memsets and kernels that lie between copies.
using IssueGroups = std::function<void(const std::vector<StageGroup>&, cudaStream_t)>;

class BatchedRecording {
 public:
  /// Makes a batch of each stretch of copies one way, and captures `issue` for the stages between
  /// them.
  BatchedRecording(const Job& job, const PassScratch& scratch, const IssueGroups& issue);

  /// Enqueues the batches and launches the graphs, in the order of the stages.
  void launch(cudaStream_t origin) const;

  /// The facts of all graphs, added up.
  std::vector<Count> evidence() const;

 private:
  std::vector<bool> is_batch_;  // of each stretch of the pass
  std::vector<CopyBatch> batches_;
  std::vector<Recording> graphs_;
};

}  // namespace trilane
