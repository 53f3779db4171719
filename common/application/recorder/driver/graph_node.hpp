// Reads one node of a driver graph.
#pragma once

#include <cuda.h>

#include <memory>
#include <vector>

#include "common/application/iteration/observed_graph.hpp"

namespace trilane {

/// Returns the operation of a node that follows `after`; null if the driver does not say.
std::shared_ptr<const ObservedNode> node_in(CUgraphNode node, CUgraphNodeType type,
                                            std::vector<std::uint32_t> after);

}  // namespace trilane
