#include "common/device/simulator/machine/graph_nodes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace trilane::simulator {

namespace {

/// Returns true if the device accesses both in the same way, which must not change for a copy node.
bool are_mapped_alike(Place one, Place other) {
  return is_on_device(one) == is_on_device(other) &&
         (one == Place::pageable) == (other == Place::pageable);
}

}  // namespace

CUgraph_st& graph_of(Machine& m, cudaGraph_t handle) {
  return object_of(m.graphs, handle, cudaErrorInvalidValue);
}

CUgraphExec_st& executable_of(Machine& m, cudaGraphExec_t handle) {
  return object_of(m.executables, handle, cudaErrorInvalidValue);
}

cudaGraphNodeType type_of(const TaskPtr& task) {
  if (!task) return cudaGraphNodeTypeEmpty;
  switch (task->kind) {
    case Kind::kernel: return cudaGraphNodeTypeKernel;
    case Kind::memset: return cudaGraphNodeTypeMemset;
    case Kind::host_function: return cudaGraphNodeTypeHost;
    case Kind::allocate: return cudaGraphNodeTypeMemAlloc;
    case Kind::release: return cudaGraphNodeTypeMemFree;
    case Kind::copy_in:
    case Kind::copy_out:
    case Kind::copy_within: break;
  }
  return cudaGraphNodeTypeMemcpy;
}

bool is_about_memory(const TaskPtr& task) {
  return task && (task->kind == Kind::allocate || task->kind == Kind::release);
}

cudaGraphNode_t add_node(CUgraph_st& graph, TaskPtr task, NodeFrontier dependencies) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->number = graph.nodes.size() + 1;
  node->task = std::move(task);
  node->dependencies = std::move(dependencies);
  node->label = Labelled::current();
  graph.nodes.push_back(std::move(node));
  return graph.nodes.back().get();
}

std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, std::size_t> places;
  std::vector<CUgraphExec_st::Node> nodes;
  const auto place = [&](const std::unique_ptr<CUgraphNode_st>& node) {
    if (places.contains(node.get())) return;
    CUgraphExec_st::Node copy{node.get(), node->task, {}, node->label};
    for (cudaGraphNode_t before : node->dependencies) {
      const auto found = places.find(before);
      if (found == places.end()) return;
      copy.dependencies.push_back(found->second);
    }
    places[node.get()] = nodes.size();
    nodes.push_back(std::move(copy));
  };
  while (nodes.size() < graph.nodes.size()) {
    const std::size_t placed = nodes.size();
    std::ranges::for_each(graph.nodes, place);
    if (nodes.size() == placed) refuse(cudaErrorInvalidValue);
  }
  return nodes;
}

bool may_become(Machine& m, const Task& task, const Task& other) {
  if (task.kind != other.kind) return false;
  switch (task.kind) {
    case Kind::copy_in:
    case Kind::copy_out:
    case Kind::copy_within:
      return are_mapped_alike(task.from, other.from) && are_mapped_alike(task.to, other.to);
    case Kind::memset:
      if (task.to != other.to) return false;
      // "Opportunistically allowed".
      return task.bytes == other.bytes || m.draw->may();
    default: return true;
  }
}

double update_node_us(const Machine& m) {
  const auto& costs = m.settings.profile.calls_us;
  const auto known = costs.find("update");
  return known != costs.end() ? known->second : m.settings.profile.graph.instantiate_node_us;
}

}  // namespace trilane::simulator
