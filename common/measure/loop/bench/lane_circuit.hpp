// A lane of a loop: its stream, its device memory, and the start of an item on it.
#pragma once

#include <optional>
#include <vector>

#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/stages/stages.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

class LaneCircuit {
 public:
  /// `job` has one chunk per lane, and its host buffers are those of the lanes. With a graph the
  /// constructor captures and instantiates it.
  LaneCircuit(const Job& job, std::uint32_t lane, const Scratch& scratch,
              Resubmission resubmission);

  /// Enqueues an item. It reads the parameters that are in the lane's block when it runs.
  void start();

  cudaStream_t stream() const { return stream_.get(); }

 private:
  void issue(cudaStream_t stream);

  Stream stream_ = make_stream();
  std::vector<Operation> operations_;
  std::optional<Recording> recording_;  // absent with streams
};

}  // namespace trilane
