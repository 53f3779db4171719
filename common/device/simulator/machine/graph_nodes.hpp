// Nodes of graphs and of executable graphs.
#pragma once

#include <memory>
#include <vector>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// Returns the graph or executable graph behind a handle. Throws Refusal (cudaErrorInvalidValue) if
/// none exists.
CUgraph_st& graph_of(Machine& machine, cudaGraph_t handle);
CUgraphExec_st& executable_of(Machine& machine, cudaGraphExec_t handle);

/// Returns the type of a node with that task; null: an empty node.
cudaGraphNodeType type_of(const TaskPtr& task);

/// Returns true if it is the task of an allocation node or of a free node.
bool is_about_memory(const TaskPtr& task);

/// Adds a node to a graph. `task` is null for an empty node.
cudaGraphNode_t add_node(CUgraph_st& graph, TaskPtr task, NodeFrontier dependencies);

/// Returns copies of a graph's nodes, each after all its dependencies, otherwise in order of
/// creation. Throws Refusal (cudaErrorInvalidValue) if the graph has a cycle.
std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph);

/// Returns true if a node of an executable graph may change from `task` to `other`, by the
/// conditions in CUDA Runtime API, Graph Management, cudaGraphExecUpdate and
/// cudaGraphExec...SetParams. If they leave that open, the draw decides.
bool may_become(Machine& machine, const Task& task, const Task& other);

/// Returns the host time to update a node of an executable graph: the profile's call "update", or
/// else the time to instantiate a node.
double update_node_us(const Machine& machine);

}  // namespace trilane::simulator
