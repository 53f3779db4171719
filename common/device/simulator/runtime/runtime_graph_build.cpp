// Graphs that are built node by node, and new parameters for single nodes of an executable graph.
#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graphs.hpp"

using namespace trilane::simulator;

namespace {

/// Returns the dependencies of a new node, all in its graph and each once.
NodeFrontier dependencies_in(const CUgraph_st& graph, const cudaGraphNode_t* nodes,
                             std::size_t count) {
  require(nodes != nullptr || count == 0);
  NodeFrontier all;
  for (cudaGraphNode_t node : std::span(nodes, count)) {
    require(!trilane::includes(all, &object_of(graph.nodes, node)));
    all.push_back(node);
  }
  return all;
}

struct NewNode {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;
};

/// Adds a node; `make(machine)` returns its task. A call not in the profile costs as a capture.
template <typename Make>
cudaError_t add(const NewNode& place, Make make, const char* name = __builtin_FUNCTION()) {
  const auto body = [&](Machine& m) {
    if (place.node == nullptr) refuse(cudaErrorInvalidValue);
    CUgraph_st& graph = object_of(m.graphs, place.graph);
    NodeFrontier dependencies = dependencies_in(graph, place.dependencies, place.count);
    TaskPtr task = make(m);
    if (!m.settings.profile.calls_us.contains(name)) m.spend_for("capture");
    *place.node = add_node(graph, std::move(task), std::move(dependencies));
  };
  return call(body, name);
}

/// Returns the node that was made from `node`, whose graph must still exist.
CUgraphExec_st::Node& node_of(Machine& m, CUgraphExec_st& executable, cudaGraphNode_t node) {
  const bool has_graph = trilane::includes(m.graphs, executable.graph, &CUgraph_st::number);
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
    CUgraphExec_st::Node& target = node_of(m, object_of(m.executables, handle), node);
    TaskPtr task = make(m);
    require(target.task && may_become(m, *target.task, *task));
    // Only copies may have several rows: "must be 1-dimensional".
    require(target.task->rows == 1 && task->rows == 1);
    if (!m.settings.profile.calls_us.contains(name)) m.timeline.spend(update_node_us(m));
    target.task = std::move(task);
    target.stale = true;
  };
  return call(body, name);
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return answer(graph, [&](Machine& m) {
    require(flags == 0);
    return &m.make(m.graphs);
  });
}

cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, size_t count) {
  return add({node, graph, dependencies, count}, [](Machine&) { return nullptr; });
}

cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaKernelNodeParams* parameters) {
  return add({node, graph, dependencies, count},
             [&](Machine& m) { return kernel_node_task(m, parameters); });
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemcpy3DParms* parameters) {
  return add({node, graph, dependencies, count},
             [&](Machine& m) { return copy_node_task(m, parameters); });
}

cudaError_t CUDARTAPI cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return add({node, graph, dependencies, count},
             [&](Machine& m) { return copy_node_task(m, to, from, bytes, kind); });
}

cudaError_t CUDARTAPI cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemsetParams* parameters) {
  return add({node, graph, dependencies, count},
             [&](Machine& m) { return memset_node_task(m, parameters); });
}

cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to,
                                               const cudaGraphEdgeData* data, size_t count) {
  return call([&](Machine& m) {
    const CUgraph_st& graph = object_of(m.graphs, handle);
    require(count == 0 || (from != nullptr && to != nullptr));
    for (const cudaGraphEdgeData& edge : std::span(data, data == nullptr ? 0 : count)) {
      if (edge.from_port == 0 && edge.to_port == 0 && edge.type == 0) continue;
      refuse_not_modelled("an edge of cudaGraphAddDependencies with data");
    }
    std::map<cudaGraphNode_t, NodeFrontier> changed;  // applied only if all are valid
    for (std::size_t i = 0; i < count; ++i) {
      const CUgraphNode_st& node = object_of(graph.nodes, to[i]);
      NodeFrontier& before = changed.try_emplace(to[i], node.dependencies).first->second;
      require(!trilane::includes(before, &object_of(graph.nodes, from[i])));
      before.push_back(from[i]);
    }
    for (auto& [node, before] : changed) node->dependencies = std::move(before);
  });
}

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
