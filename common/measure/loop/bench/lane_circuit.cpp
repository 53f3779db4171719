#include "common/measure/loop/bench/lane_circuit.hpp"

namespace trilane {
LaneCircuit::LaneCircuit(const Job& job, std::uint32_t lane, const Scratch& scratch,
                         Resubmission resubmission) {
  for (const Step& step : job.steps) {
    if (step.chunk == lane) operations_.push_back(operation_of(step, scratch));
  }
  switch (resubmission) {
    case Resubmission::streams: break;
    case Resubmission::graph: recording_.emplace([this](cudaStream_t s) { issue(s); }); break;
  }
}

void LaneCircuit::issue(cudaStream_t stream) {
  for (Operation& operation : operations_) operation.enqueue(stream);
}

void LaneCircuit::start() {
  if (recording_) {
    recording_->launch(stream());
  } else {
    issue(stream());
  }
}

}  // namespace trilane
