// Facts about graphs, as the runtime reports them.
#pragma once

#include <driver_types.h>

#include <vector>

#include "common/variant/plan.hpp"

namespace trilane {

/// The number of nodes of each kind, of roots and of edges, and of nodes on the longest path, which
/// tells graphs apart that have as many nodes and edges in another order.
std::vector<Count> graph_facts(cudaGraph_t graph);

/// The memory that graphs hold on the current device: "graph memory reserved bytes".
std::vector<Count> graph_memory_facts();

}  // namespace trilane
