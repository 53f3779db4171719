// New parameters for single nodes of an executable graph, for its next launches.
#include <algorithm>

#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_nodes.hpp"

using namespace trilane::simulator;

namespace {

/// Returns the node that was made from `node`, whose graph must still exist. A graph keeps all its
/// nodes until it is destroyed.
CUgraphExec_st::Node& node_of(Machine& m, CUgraphExec_st& executable, cudaGraphNode_t node) {
  const bool has_graph = std::ranges::any_of(
      m.graphs, [&](const auto& graph) { return graph->number == executable.graph; });
  const auto found = std::ranges::find(executable.nodes, node, &CUgraphExec_st::Node::made_from);
  if (!has_graph || found == executable.nodes.end()) refuse(cudaErrorInvalidValue);
  return *found;
}

/// Sets a node's task to that of `make(machine)`. Earlier launches keep the old one. If the profile
/// lacks the call, it costs as much as updating a node.
template <typename Make>
cudaError_t set(cudaGraphExec_t handle, cudaGraphNode_t node, Make make,
                const char* name = __builtin_FUNCTION()) {
  const auto body = [&](Machine& m) {
    CUgraphExec_st::Node& target = node_of(m, executable_of(m, handle), node);
    TaskPtr task = make(m);
    require(target.task && may_become(m, *target.task, *task));
    // Only copies may have several rows: "must be 1-dimensional".
    require(target.task->rows == 1 && task->rows == 1);
    if (!m.settings.profile.calls_us.contains(name)) m.timeline.spend(update_node_us(m));
    target.task = std::move(task);
  };
  return call(body, name);
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node,
                                                       const cudaKernelNodeParams* parameters) {
  return set(executable, node, [&](Machine& m) { return kernel_node_task(m, parameters); });
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node,
                                                       const cudaMemcpy3DParms* parameters) {
  return set(executable, node, [&](Machine& m) { return copy_node_task(m, parameters); });
}

cudaError_t CUDARTAPI cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable,
                                                         cudaGraphNode_t node, void* to,
                                                         const void* from, size_t bytes,
                                                         cudaMemcpyKind kind) {
  return set(executable, node,
             [&](Machine& m) { return copy_node_task(m, to, from, bytes, kind); });
}

cudaError_t CUDARTAPI cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node,
                                                       const cudaMemsetParams* parameters) {
  return set(executable, node, [&](Machine& m) { return memset_node_task(m, parameters); });
}
