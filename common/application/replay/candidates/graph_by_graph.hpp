// Runs an iteration as graphs, one for each stretch between the host's waits.
#pragma once

#include <vector>

#include "common/application/iteration/order/stretches.hpp"
#include "common/application/replay/candidates/candidate.hpp"

namespace trilane {

/// What is set in the graphs before each launch.
enum class SetEachTime { nothing, what_varies };

class GraphByGraph final : public Candidate {
 public:
  GraphByGraph(const TakenIteration& taken, ReplayedIteration iteration, SetEachTime set);

  /// The host spends its time between the calls of a stretch before it launches the stretch's
  /// graph, for what it does there may be what the operations need. Waits for each graph or, where
  /// the loop runs ahead, for the graph that has what the application waits for there.
  void run(double& issuing_us) override;
  ReplayedIteration& iteration() override { return iteration_; }
  std::vector<Count> evidence() const override;

 private:
  struct Part {
    double host_us = 0;
    OwnGraph graph;
    OwnGraphExec exec;
    std::vector<CUgraphNode> nodes;
    std::vector<ReplayedCall*> operations;  ///< by node: in `calls_`
    std::vector<std::size_t> set;           ///< nodes that are set before each launch
    StretchWait wait;
    OwnEvent done;  ///< behind the graph, where another stretch waits for it
  };

  void wait_behind(const Part& part);
  Part part_of(const TakenIteration& taken, const Stretch& stretch, SetEachTime set);

  ReplayedIteration iteration_;
  const unsigned long long flags_;  // of the graphs' instantiation
  CUcontext context_ = nullptr;
  std::vector<ReplayedCall> calls_;
  std::vector<OwnMemory> memory_;  // what the iteration allocates, once
  CUstream stream_;
  std::vector<Part> parts_;
  std::uint64_t nodes_set_ = 0;  // in the latest run
};

}  // namespace trilane
