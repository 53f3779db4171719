// A graph built node by node, with only the edges that the data needs.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/runtime/phase.hpp"
#include "common/measure/gpu/stages/stages.hpp"
#include "common/model/workload/steps/stage_order.hpp"

namespace trilane {

/// Adds the stages of a pass in issue order, with the edges of order_of(): within a chunk, and from
/// the previous chunk of its lane, which used the same memory.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Job& job);

  /// Adds `operation`, which implements `step`.
  void add(const Step& step, Operation operation);

  /// Returns the nodes of the steps added so far, in that order.
  const std::vector<cudaGraphNode_t>& nodes() const { return nodes_; }

  /// Returns the graph with all its nodes. The builder must not be used afterwards.
  Graph finish() {
    phase_.reset();
    return std::move(graph_);
  }

 private:
  // One phase for all nodes, because a single node is too short to time.
  std::optional<Phase> phase_{std::in_place, "build"};
  Graph graph_;
  StageOrder order_;
  std::vector<std::vector<cudaGraphNode_t>> latest_;  // of each lane and stage; null before
  std::vector<cudaGraphNode_t> nodes_;
};

}  // namespace trilane
