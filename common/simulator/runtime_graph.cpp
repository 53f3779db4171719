// Graphs: instantiated, uploaded, launched, updated.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "common/simulator/call.hpp"
#include "common/simulator/capture.hpp"
#include "common/simulator/graph_memory.hpp"
#include "common/simulator/not_modelled.hpp"

namespace trilane::simulator {

namespace {

template <typename Object>
Object& find(const std::vector<std::unique_ptr<Object>>& objects, const Object* handle) {
  const auto found = std::ranges::find(objects, handle, &std::unique_ptr<Object>::get);
  if (found == objects.end()) refuse(cudaErrorInvalidValue);
  return **found;
}

std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, std::size_t> places;
  std::vector<CUgraphExec_st::Node> nodes;
  for (const auto& node : graph.nodes) {
    CUgraphExec_st::Node& copy = nodes.emplace_back(
        CUgraphExec_st::Node{.type = node->type, .task = node->task, .dependencies = {}});
    for (cudaGraphNode_t before : node->dependencies) {
      copy.dependencies.push_back(places.at(before));
    }
    places[node.get()] = nodes.size() - 1;
  }
  return nodes;
}

double per_node(const std::vector<CUgraphExec_st::Node>& nodes, double us) {
  return us * static_cast<double>(nodes.size());
}

bool is_about_memory(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

/// CUDA Runtime API, cudaGraphInstantiate: a graph with allocation or free nodes, whose addresses
/// are fixed, has one executable at a time.
void instantiate(Machine& m, cudaGraphExec_t* executable, const CUgraph_st& graph,
                 unsigned long long flags) {
  if ((flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch)) != 0) {
    print_not_modelled("this flag of cudaGraphInstantiate");
    refuse(cudaErrorNotSupported);
  }
  const bool single = std::ranges::any_of(
      graph.nodes, [](const auto& node) { return is_about_memory(node->type); });
  const bool instantiated = std::ranges::any_of(
      m.executables, [&](const auto& other) { return other->graph == graph.number; });
  if (single && instantiated) refuse(cudaErrorNotSupported);
  auto made = std::make_unique<CUgraphExec_st>();
  made->number = ++m.numbered;
  made->nodes = nodes_of(graph);
  made->graph = graph.number;
  made->frees_itself = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  m.timeline.spend(per_node(made->nodes, m.settings.profile.graph.instantiate_node_us));
  m.executables.push_back(std::move(made));
  *executable = m.executables.back().get();
}

/// Each node becomes an operation, ordered by the graph's edges and nothing else. The roots come
/// after the stream, and after the executable's last launch: it never runs beside itself.
void launch(Machine& m, CUgraphExec_st& executable, CUstream_st& stream) {
  prepare_graph_memory(m, executable, stream);
  Frontier before = m.tail_of(stream);
  merge(before, executable.last);
  const std::uint64_t launch = ++m.launches;
  std::vector<OperationPtr> operations;
  std::vector<bool> is_leaf(executable.nodes.size(), true);
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    const auto operation = std::make_shared<Operation>();
    operation->task = node.task;
    operation->stream = stream.number;
    operation->launch = launch;
    operation->lane = fmt::format("graph {} node {} on stream {}", executable.number,
                                  operations.size() + 1, stream.number);
    for (std::size_t place : node.dependencies) {
      operation->after.push_back(operations[place]);
      is_leaf[place] = false;
    }
    if (node.dependencies.empty()) operation->after = before;
    m.issue(operation);
    operations.push_back(operation);
  }
  if (operations.empty()) return;
  Frontier leaves;
  for (std::size_t place = 0; place < operations.size(); ++place) {
    if (is_leaf[place]) leaves.push_back(operations[place]);
  }
  stream.tail = executable.last = leaves;
  note_graph_launch(m, executable, leaves);
}

/// What keeps an executable from becoming `graph`, whose copies are `nodes`, by the conditions in
/// CUDA Runtime API, cudaGraphExecUpdate. Nodes are paired in the order of their creation.
cudaGraphExecUpdateResultInfo difference(const std::vector<CUgraphExec_st::Node>& old,
                                         const CUgraph_st& graph,
                                         const std::vector<CUgraphExec_st::Node>& nodes) {
  if (old.size() != nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, {}, {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    cudaGraphNode_t node = graph.nodes[i].get();
    const auto& [type, task, dependencies] = nodes[i];
    if (old[i].type != type) return {cudaGraphExecUpdateErrorNodeTypeChanged, node, {}};
    if (old[i].dependencies.size() != dependencies.size()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, {}};
    }
    const auto edge = std::ranges::mismatch(old[i].dependencies, dependencies).in2;
    if (edge != dependencies.end()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, graph.nodes[*edge].get()};
    }
    // Copies keep their direction, memory nodes everything.
    const bool is_fixed = is_about_memory(type) && old[i].task != task;
    if (is_fixed || old[i].task->kind != task->kind) {
      return {cudaGraphExecUpdateErrorParametersChanged, node, {}};
    }
  }
  return {cudaGraphExecUpdateSuccess, {}, {}};
}

}  // namespace

}  // namespace trilane::simulator

using namespace trilane::simulator;

cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           unsigned long long flags) {
  return call("cudaGraphInstantiate", [&](Machine& m) {
    if (executable == nullptr) refuse(cudaErrorInvalidValue);
    instantiate(m, executable, find(m.graphs, graph), flags);
  });
}

cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return call("cudaGraphUpload", [&](Machine& m) {
    CUgraphExec_st& executable = find(m.executables, handle);
    forbid_in_capture(m, stream_of(m, stream));
    map_graph_memory(m, executable);
    m.timeline.spend(per_node(executable.nodes, m.settings.profile.graph.upload_node_us));
  });
}

cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return call("cudaGraphLaunch", [&](Machine& m) {
    CUgraphExec_st& executable = find(m.executables, handle);
    forbid_in_capture(m, stream_of(m, stream));
    launch(m, executable, stream_of(m, stream));
  });
}

cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                          cudaGraphExecUpdateResultInfo* info) {
  return call("cudaGraphExecUpdate", [&](Machine& m) {
    CUgraphExec_st& executable = find(m.executables, handle);
    const CUgraph_st& graph = find(m.graphs, graph_handle);
    std::vector<CUgraphExec_st::Node> nodes = nodes_of(graph);
    if (info == nullptr) refuse(cudaErrorInvalidValue);
    *info = difference(executable.nodes, graph, nodes);
    if (info->result != cudaGraphExecUpdateSuccess) refuse(cudaErrorGraphExecUpdateFailure);
    executable.nodes = std::move(nodes);
  });
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  return call("cudaGraphDestroy", [&](Machine& m) {
    find(m.graphs, graph);
    std::erase_if(m.graphs, [&](const auto& owned) { return owned.get() == graph; });
    collect_graph_memory(m);
  });
}

cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call("cudaGraphExecDestroy", [&](Machine& m) {
    const CUgraphExec_st& executable = find(m.executables, handle);
    m.timeline.spend(per_node(executable.nodes, m.settings.profile.graph.destroy_node_us));
    // What it has launched goes on without it.
    std::erase_if(m.executables, [&](const auto& owned) { return owned.get() == handle; });
    collect_graph_memory(m);
  });
}
