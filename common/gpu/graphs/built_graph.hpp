// A graph made node by node, with only the edges that the data needs.
#pragma once

#include <optional>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/runtime/phase.hpp"
#include "common/gpu/stages/stages.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// Adds the stages of a pass in issue order. A chunk's first kernel depends on its copy in and its
/// clear, each further kernel on the one before, and the copy out on the last kernel. Chunks of a
/// lane share its scratch memory, so a copy in also depends on the last kernel of the chunk before,
/// and a clear on its copy out.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Job& job);

  /// Adds `operation`, which does `step`.
  void add(const Step& step, Operation operation);

  /// The nodes of the steps added so far, in that order.
  const std::vector<cudaGraphNode_t>& nodes() const { return nodes_; }

  /// The graph with all its nodes. The builder must not be used afterwards.
  Graph finish() {
    phase_.reset();
    return std::move(graph_);
  }

 private:
  /// The latest nodes of a lane, on which the next ones may depend; null before its first chunk.
  struct Lane {
    cudaGraphNode_t copy_in = nullptr, clear = nullptr, kernel = nullptr, copy_out = nullptr;
  };

  // One phase for all nodes: a single one is too short to time.
  std::optional<Phase> phase_{std::in_place, "build"};
  Graph graph_;
  std::vector<Lane> lanes_;
  std::vector<cudaGraphNode_t> nodes_;
};

}  // namespace trilane
