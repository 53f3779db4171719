// Facts about graphs, as the runtime reports them.
#pragma once

#include <driver_types.h>

#include <vector>

#include "common/variant/plan.hpp"

namespace trilane {

/// The number of nodes of each kind, of roots and edges, and of nodes on the longest path, which
/// distinguishes graphs with equally many nodes and edges.
std::vector<Count> graph_facts(cudaGraph_t graph);

/// The memory that graphs hold on the current device: "graph memory reserved bytes".
std::vector<Count> graph_memory_facts();

}  // namespace trilane
