// Reads a graph of the driver's node by node.
#pragma once

#include <cuda.h>

#include <memory>
#include <vector>

#include "common/application/iteration/observed_graph.hpp"

namespace trilane {

/// The operations of a graph, each behind those that it follows. Nodes of child graphs are among
/// them; empty nodes are not.
struct GraphWalk {
  std::vector<CUgraphNode> handles;
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
  bool known = true;    ///< the driver answered all questions
  bool nested = false;  ///< it has child graphs
};

/// Two walks of the same graph, or of a clone that was not changed, have the same order.
GraphWalk walk_of(CUgraph graph);

}  // namespace trilane
