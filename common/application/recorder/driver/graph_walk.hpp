// Reads a driver graph node by node.
#pragma once

#include <cuda.h>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// The operations of a graph, each after its predecessors. Nodes of child graphs are included;
/// empty nodes are not.
struct GraphWalk {
  std::vector<CUgraphNode> handles;
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
  bool known = true;  ///< the driver answered all questions
};

/// The graphs that a conditional node may run, by node. The driver tells them only when it makes
/// the node.
using ConditionalBodies = std::map<CUgraphNode, std::vector<CUgraph>>;

/// Returns the operations; two walks of the same graph, or of an unchanged clone, have the same
/// order. Those of a conditional node's graphs follow the node, each once.
GraphWalk walk_of(CUgraph graph, const ConditionalBodies& bodies);

/// Returns the operation of a node that follows `after`; null if the driver does not say.
std::shared_ptr<const ObservedNode> node_in(CUgraphNode node, CUgraphNodeType type,
                                            std::vector<std::uint32_t> after);

}  // namespace trilane
