// Facts about graphs, as the runtime reports them.
#pragma once

#include <driver_types.h>

#include <vector>

#include "common/variant/plan.hpp"

namespace trilane {

/// Nodes of `graph` by kind, its roots and edges, and the nodes on its longest path: the same
/// numbers of nodes and edges in another order would show there.
std::vector<Count> graph_facts(cudaGraph_t graph);

/// What graphs with allocation nodes hold on the current device: "graph memory reserved bytes".
std::vector<Count> graph_memory_facts();

}  // namespace trilane
