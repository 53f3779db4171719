// Graphs: instantiation, upload, launch, update and destruction, and queries.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/graphs.hpp"

using namespace trilane::simulator;
using namespace trilane;

namespace {

double per_node(const std::vector<CUgraphExec_st::Node>& nodes, double us) {
  return us * static_cast<double>(nodes.size());
}

/// Instantiates a graph. CUDA Runtime API, cudaGraphInstantiate: a graph with allocation or free
/// nodes, which have fixed addresses, has at most one executable.
cudaGraphExec_t instantiate(Machine& m, const CUgraph_st& graph, unsigned long long flags) {
  const bool frees_itself = flags == cudaGraphInstantiateFlagAutoFreeOnLaunch;
  if (flags != 0 && !frees_itself) refuse_not_modelled("this flag of cudaGraphInstantiate");
  const bool single = std::ranges::any_of(graph.nodes, is_about_memory, &CUgraphNode_st::task);
  const bool instantiated = includes(m.executables, graph.number, &CUgraphExec_st::graph);
  if (single && instantiated) refuse(cudaErrorNotSupported);
  std::vector<CUgraphExec_st::Node> nodes = nodes_of(graph);
  m.timeline.spend(per_node(nodes, m.settings.profile.graph.instantiate_node_us));
  return &m.make(m.executables, graph.number, frees_itself, std::move(nodes));
}

/// Returns the reason why an executable with nodes `old` cannot be updated to `nodes`, by the
/// conditions in CUDA Runtime API, cudaGraphExecUpdate. Nodes are paired in order of creation.
cudaGraphExecUpdateResultInfo difference(Machine& m, const std::vector<CUgraphExec_st::Node>& old,
                                         const std::vector<CUgraphExec_st::Node>& nodes) {
  if (old.size() != nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, {}, {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [node, task, dependencies, label, stale] = nodes[i];
    if (type_of(old[i].task) != type_of(task))
      return {cudaGraphExecUpdateErrorNodeTypeChanged, node, {}};
    if (old[i].dependencies.size() != dependencies.size()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, {}};
    }
    const auto edge = std::ranges::mismatch(old[i].dependencies, dependencies).in2;
    if (edge != dependencies.end()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node, nodes[*edge].made_from};
    }
    if (old[i].task != task && (is_about_memory(task) || !may_become(m, *old[i].task, *task))) {
      return {cudaGraphExecUpdateErrorParametersChanged, node, {}};
    }
  }
  return {cudaGraphExecUpdateSuccess, {}, {}};
}

/// Enqueues a node. Returns what its successors follow: its operation or, without one, `after`.
Frontier enqueue_node(Machine& m, const CUgraphExec_st& executable, std::size_t place,
                      const CUstream_st& stream, Frontier after) {
  const CUgraphExec_st::Node& node = executable.nodes[place];
  if (!node.task) return after;
  const auto operation = std::make_shared<Operation>();
  operation->task = node.task;
  operation->stream = stream.number;
  operation->device = stream.device;
  operation->launch = m.launches;
  operation->graph_node = executable.number << 32 | (place + 1);
  operation->label = node.label;
  operation->lane =
      fmt::format("graph {} node {} on stream {}", executable.number, place + 1, stream.number);
  if (m.gpus.size() > 1) operation->lane += fmt::format(" of device {}", stream.device);
  operation->after = std::move(after);
  m.issue(operation);
  return {operation};
}

/// Spends the host's time to upload nodes that are new or were changed: at an upload, or else at
/// the next launch (H200).
void upload(Machine& m, CUgraphExec_st& executable) {
  for (CUgraphExec_st::Node& node : executable.nodes) {
    if (std::exchange(node.stale, false)) m.timeline.spend(m.settings.profile.graph.upload_node_us);
  }
}

/// Counts a graph's edges from one branch to another: a node continues the branch of the first
/// predecessor that none has continued, or begins one.
class Crossings {
 public:
  /// Returns the number of those to the next node. A root but the first crosses from the launch.
  std::size_t to(const CUgraphExec_st::Node& node) {
    const auto& before = node.dependencies;
    const auto open = std::ranges::find_if(before, [this](auto at) { return !continued_[at]; });
    const bool begins = open == before.end(), is_first = continued_.empty();
    if (!begins) continued_[*open] = true;
    continued_.push_back(false);
    if (before.empty()) return is_first ? 0 : 1;
    return begins ? before.size() : before.size() - 1;
  }

 private:
  std::vector<bool> continued_;
};

/// Turns each node into an operation, ordered only by the graph's edges. The roots come after the
/// stream and after the executable's last launch.
///
/// Copies of pageable memory in a launch are not documented. The measured driver treats them as on
/// a stream: it stages copies in, and waits for copies out.
void launch(Machine& m, CUgraphExec_st& executable, CUstream_st& stream) {
  prepare_graph_memory(m, executable, stream);
  if (executable.nodes.empty()) return;
  upload(m, executable);
  Frontier before = m.tail_of(stream);
  merge(before, executable.last);
  ++m.launches;
  std::vector<Frontier> ends;
  std::vector<bool> is_leaf(executable.nodes.size(), true);
  Crossings crossings;
  const double crossing_us = m.settings.profile.graph.branch_us.value_or(0) / 2;
  const auto cross = [&](std::size_t n) { m.timeline.spend(crossing_us * static_cast<double>(n)); };
  Frontier pageable;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    Frontier after = node.dependencies.empty() ? before : Frontier{};
    for (std::size_t place : node.dependencies) {
      merge(after, ends[place]);
      is_leaf[place] = false;
    }
    cross(crossings.to(node));
    ends.push_back(enqueue_node(m, executable, ends.size(), stream, std::move(after)));
    if (!node.task || !node.task->pageable || node.task->kind == Kind::copy_within) continue;
    merge(pageable, ends.back());
    if (node.task->kind == Kind::copy_out) m.clock_waits_for(ends.back());
  }
  Frontier leaves;
  for (std::size_t place = 0; place < ends.size(); ++place) {
    if (is_leaf[place]) merge(leaves, ends[place]);
  }
  cross(leaves.empty() ? 0 : leaves.size() - 1);
  stream.tail = executable.last = leaves;
  note_graph_launch(m, executable, leaves);
  m.may_wait_for(pageable);
}

/// Writes the items that fit into `room`, which has `count` places, and clears the rest. Returns
/// the number of items written, or without room that of all.
template <typename Item>
std::size_t give(const std::vector<Item>& items, Item* room, std::size_t count) {
  if (room == nullptr) return items.size();
  const std::size_t given = std::min(count, items.size());
  std::fill(std::copy_n(items.begin(), given, room), room + count, Item{});
  return given;
}

std::vector<cudaGraphNode_t> handles_of(const Machine& m, cudaGraph_t graph, bool roots_only) {
  std::vector<cudaGraphNode_t> nodes;
  for (const auto& node : object_of(m.graphs, graph).nodes) {
    if (!roots_only || node->dependencies.empty()) nodes.push_back(node.get());
  }
  return nodes;
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           unsigned long long flags) {
  return answer(executable,
                [&](Machine& m) { return instantiate(m, object_of(m.graphs, graph), flags); });
}

cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = object_of(m.executables, handle);
    not_capturing(stream_of(m, stream));
    map_graph_memory(m, executable);
    upload(m, executable);
  });
}

cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                          cudaGraphExecUpdateResultInfo* info) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = object_of(m.executables, handle);
    const std::vector<CUgraphExec_st::Node> nodes = nodes_of(object_of(m.graphs, graph_handle));
    require(info != nullptr);
    m.timeline.spend(per_node(nodes, update_node_us(m)));
    *info = difference(m, executable.nodes, nodes);
    if (info->result != cudaGraphExecUpdateSuccess) refuse(cudaErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      executable.nodes[i].task = nodes[i].task;
      executable.nodes[i].stale = true;
    }
  });
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  return call([&](Machine& m) {
    remove(m.graphs, graph);
    collect_graph_memory(m);
  });
}

cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call([&](Machine& m) {
    const CUgraphExec_st& executable = object_of(m.executables, handle);
    m.timeline.spend(per_node(executable.nodes, m.settings.profile.graph.destroy_node_us));
    // Its launches continue without it.
    remove(m.executables, handle);
    collect_graph_memory(m);
  });
}

cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = object_of(m.executables, handle);
    launch(m, executable, not_capturing(stream_of(m, stream)));
  });
}

cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return answer(count,
                [&](Machine& m) { return give(handles_of(m, graph, false), nodes, *count); });
}

cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                            size_t* count) {
  return answer(count, [&](Machine& m) { return give(handles_of(m, graph, true), nodes, *count); });
}

cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                        cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                        size_t* count) {
  return answer(count, [&](Machine& m) {
    require((from == nullptr) == (to == nullptr));
    std::vector<cudaGraphNode_t> starts, ends;
    std::vector<cudaGraphEdgeData> edges;
    const cudaGraphEdgeData programmatic{
        cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}};
    for (const auto& node : object_of(m.graphs, graph).nodes) {
      for (cudaGraphNode_t before : node->dependencies) {
        starts.push_back(before);
        ends.push_back(node.get());
        edges.push_back(before == node->overlaps ? programmatic : cudaGraphEdgeData{});
      }
    }
    const bool all_plain = std::ranges::all_of(edges, [](auto& edge) { return edge.type == 0; });
    // Runtime API, Graph Management, cudaGraphGetEdges: data may be omitted only if it is zero.
    require(from == nullptr || data != nullptr || all_plain, cudaErrorLossyQuery);
    give(edges, data, *count);
    give(starts, from, *count);
    return give(ends, to, *count);
  });
}

cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return answer(type, [&](Machine& m) {
    require(std::ranges::any_of(m.graphs, [node](const auto& graph) {
      return includes(graph->nodes, node, &std::unique_ptr<CUgraphNode_st>::get);
    }));
    return type_of(node->task);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device,
                                                     cudaGraphMemAttributeType attribute,
                                                     void* value) {
  return call([&](Machine& m) {
    const GraphMemory& memory = m.gpu(device).graph_memory;
    require(value != nullptr);
    auto& bytes = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent: bytes = memory.used; return;
      case cudaGraphMemAttrUsedMemHigh: bytes = memory.used_high; return;
      case cudaGraphMemAttrReservedMemCurrent: bytes = memory.reserved; return;
      case cudaGraphMemAttrReservedMemHigh: bytes = memory.reserved_high; return;
    }
    refuse(cudaErrorInvalidValue);
  });
}

cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device) {
  return call([&](Machine& m) { trim_graph_memory(m, m.gpu(device).number); });
}
