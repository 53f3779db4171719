// Reads one node of a graph of the driver's.
#pragma once

#include <cuda.h>

#include <memory>
#include <vector>

#include "common/application/iteration/observed_graph.hpp"

namespace trilane {

/// What a node does, which follows `after`; null if the driver does not say.
std::shared_ptr<const ObservedNode> node_in(CUgraphNode node, CUgraphNodeType type,
                                            std::vector<std::uint32_t> after);

}  // namespace trilane
