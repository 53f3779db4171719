// A graph made node by node, whose edges say only what the data needs.
#pragma once

#include <optional>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/runtime/phase.hpp"
#include "common/gpu/stages/stages.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// Adds the stages of a pass in issue order. A chunk's first kernel comes after its copy in and its
/// clear, the kernels follow each other, and the copy out comes after the last. Where a lane's next
/// chunk takes over its scratch memory, the copy in comes after the kernels that read the input
/// before, and the clear after the copy out of the result before.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Job& job);

  /// Adds `operation`, which is the stage that `step` says.
  void add(const Step& step, Operation operation);

  /// The node of each step added so far, in their order.
  const std::vector<cudaGraphNode_t>& nodes() const { return nodes_; }

  /// The graph, with all nodes; the builder is done.
  Graph finish() {
    phase_.reset();
    return std::move(graph_);
  }

 private:
  /// The latest nodes of a lane, null before its first chunk: what comes next may depend on them.
  struct Lane {
    cudaGraphNode_t copy_in = nullptr, clear = nullptr, kernel = nullptr, copy_out = nullptr;
  };

  std::optional<Phase> phase_{std::in_place, "build"};  // all of it: a node is too short to time
  Graph graph_;
  std::vector<Lane> lanes_;
  std::vector<cudaGraphNode_t> nodes_;
};

}  // namespace trilane
