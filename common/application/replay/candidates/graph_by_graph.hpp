// Runs an iteration as graphs, one for each segment between the host's waits.
#pragma once

#include <vector>

#include "common/application/iteration/order/call_segments.hpp"
#include "common/application/replay/candidates/candidate.hpp"

namespace trilane {

/// The parts of graphs that are set before each launch.
enum class SetEachTime { nothing, what_varies };

class GraphByGraph final : public Candidate {
 public:
  GraphByGraph(const TakenIteration& taken, ReplayedIteration iteration, SetEachTime set);

  /// Spends the host's time between a segment's calls before launching its graph, since the
  /// operations may need the results. Waits for each graph or, if the loop runs ahead, for the
  /// graph that contains what the application waits for there.
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
    SegmentWait wait;
    OwnEvent done;  ///< after the graph, if another segment waits for it
  };

  void wait_behind(const Part& part);
  Part part_of(const TakenIteration& taken, const CallSegment& segment, SetEachTime set);

  ReplayedIteration iteration_;
  const unsigned long long flags_;  // for the graphs' instantiation
  CUcontext context_ = nullptr;
  std::vector<ReplayedCall> calls_;
  std::vector<OwnMemory> memory_;  // the iteration's allocations, made once
  CUstream stream_;
  std::vector<Part> parts_;
  std::uint64_t nodes_set_ = 0;  // in the latest run
};

}  // namespace trilane
