// Runs an iteration as graphs, one for each segment between the host's waits.
#pragma once

#include <vector>

#include "common/application/iteration/order/stretches.hpp"
#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/application/prediction/ways/stand_in_memory.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

class StretchGraphs final : public SimulatedPass {
 public:
  explicit StretchGraphs(const ApplicationRecording& recording);

  /// Sets what varies before launching a graph. Spends the host's own time before that, because the
  /// operations may need its results.
  void run() override;

 private:
  struct Part {
    double host_us = 0;
    bool waits = true;  ///< the host, at the end of the segment
    Graph graph;
    GraphExec exec;
    struct Varying {
      cudaGraphNode_t node;
      std::size_t call;
    };
    std::vector<Varying> varying;
  };

  Part part_of(const Stretch& stretch) const;

  const ApplicationRecording& recording_;
  StandInMemory memory_;
  Stream stream_ = make_stream();
  std::vector<Part> parts_;
};

}  // namespace trilane
