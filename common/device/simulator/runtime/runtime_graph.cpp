// Graphs: instantiation, upload, update and destruction.
#include <algorithm>
#include <utility>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/capture.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/graph_nodes.hpp"
#include "common/device/simulator/machine/not_modelled.hpp"

using namespace trilane::simulator;

namespace {

double per_node(const std::vector<CUgraphExec_st::Node>& nodes, double us) {
  return us * static_cast<double>(nodes.size());
}

/// Instantiates a graph. CUDA Runtime API, cudaGraphInstantiate: a graph with allocation or free
/// nodes, which have fixed addresses, has at most one executable.
cudaGraphExec_t instantiate(Machine& m, const CUgraph_st& graph, unsigned long long flags) {
  if ((flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch)) != 0) {
    refuse_not_modelled("this flag of cudaGraphInstantiate");
  }
  const bool single = std::ranges::any_of(
      graph.nodes, [](const auto& node) { return is_about_memory(node->task); });
  const bool instantiated = std::ranges::any_of(
      m.executables, [&](const auto& other) { return other->graph == graph.number; });
  if (single && instantiated) refuse(cudaErrorNotSupported);
  std::vector<CUgraphExec_st::Node> nodes = nodes_of(graph);
  m.timeline.spend(per_node(nodes, m.settings.profile.graph.instantiate_node_us));
  CUgraphExec_st& executable = m.make(m.executables);
  executable.nodes = std::move(nodes);
  executable.graph = graph.number;
  executable.frees_itself = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  return &executable;
}

/// Returns the reason why an executable with nodes `old` cannot be updated to `nodes`, by the
/// conditions in CUDA Runtime API, cudaGraphExecUpdate. Nodes are paired in order of creation.
cudaGraphExecUpdateResultInfo difference(Machine& m, const std::vector<CUgraphExec_st::Node>& old,
                                         const std::vector<CUgraphExec_st::Node>& nodes) {
  if (old.size() != nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, {}, {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [node, task, dependencies, label] = nodes[i];
    if (type_of(old[i].task) != type_of(task))
      return {cudaGraphExecUpdateErrorNodeTypeChanged, node, {}};
    if (old[i].dependencies.size() != dependencies.size()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, {}};
    }
    const auto edge = std::ranges::mismatch(old[i].dependencies, dependencies).in2;
    if (edge != dependencies.end()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, nodes[*edge].made_from};
    }
    const bool is_same = old[i].task == task;
    if (!is_same && (is_about_memory(task) || !may_become(m, *old[i].task, *task))) {
      return {cudaGraphExecUpdateErrorParametersChanged, node, {}};
    }
  }
  return {cudaGraphExecUpdateSuccess, {}, {}};
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           unsigned long long flags) {
  return answer(executable, [&](Machine& m) { return instantiate(m, graph_of(m, graph), flags); });
}

cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = executable_of(m, handle);
    forbid_in_capture(stream_of(m, stream));
    map_graph_memory(m, executable);
    m.timeline.spend(per_node(executable.nodes, m.settings.profile.graph.upload_node_us));
  });
}

cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                          cudaGraphExecUpdateResultInfo* info) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = executable_of(m, handle);
    const std::vector<CUgraphExec_st::Node> nodes = nodes_of(graph_of(m, graph_handle));
    require(info != nullptr);
    m.timeline.spend(per_node(nodes, update_node_us(m)));
    *info = difference(m, executable.nodes, nodes);
    if (info->result != cudaGraphExecUpdateSuccess) refuse(cudaErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < nodes.size(); ++i) executable.nodes[i].task = nodes[i].task;
  });
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  return call([&](Machine& m) {
    graph_of(m, graph);
    remove(m.graphs, graph);
    collect_graph_memory(m);
  });
}

cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call([&](Machine& m) {
    const CUgraphExec_st& executable = executable_of(m, handle);
    m.timeline.spend(per_node(executable.nodes, m.settings.profile.graph.destroy_node_us));
    // Its launches continue without it.
    remove(m.executables, handle);
    collect_graph_memory(m);
  });
}
