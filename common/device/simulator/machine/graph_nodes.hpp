// Nodes of graphs and of executable graphs: made, put in order, given other parameters.
#pragma once

#include <memory>
#include <vector>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The graph or executable graph behind a handle. Throws Refusal (cudaErrorInvalidValue) when there
/// is none.
CUgraph_st& graph_of(Machine& machine, cudaGraph_t handle);
CUgraphExec_st& executable_of(Machine& machine, cudaGraphExec_t handle);

/// The type of the node that does such a task.
cudaGraphNodeType type_of(Kind kind);

/// Makes a node at the end of a graph; `task` is null for an empty node.
cudaGraphNode_t add_node(CUgraph_st& graph, cudaGraphNodeType type,
                         std::shared_ptr<const Task> task, NodeFrontier dependencies);

/// Copies of a graph's nodes, each after all that it depends on, and otherwise in the order of
/// their making. Throws Refusal (cudaErrorInvalidValue) for a graph with a cycle.
std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph);

/// Whether the node of an executable graph that does `task` may do `other` from its next launch on,
/// by the conditions in CUDA Runtime API, Graph Management, cudaGraphExecUpdate and the functions
/// cudaGraphExec...SetParams. Where they leave that open, the draw says.
bool may_become(Machine& machine, const Task& task, const Task& other);

/// Host time to give one node of an executable graph other parameters: as much as making it took,
/// where the profile has no figure "update" among its calls.
double update_node_us(const Machine& machine);

}  // namespace trilane::simulator
