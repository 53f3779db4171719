// Queries of graphs and their memory.
#include <algorithm>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_nodes.hpp"

using namespace trilane::simulator;

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// Writes the items that fit into `room` and clears the rest; without room, returns only the
/// number.
template <typename Item>
void give(const std::vector<Item>& items, Item* room, std::size_t* count) {
  require(count != nullptr);
  if (room != nullptr) {
    std::fill_n(room, *count, Item{});
    std::copy_n(items.begin(), std::min(*count, items.size()), room);
  }
  *count = room == nullptr ? items.size() : std::min(*count, items.size());
}

Nodes handles_of(const CUgraph_st& graph, bool roots_only) {
  Nodes nodes;
  for (const auto& node : graph.nodes) {
    if (!roots_only || node->dependencies.empty()) nodes.push_back(node.get());
  }
  return nodes;
}

cudaGraphEdgeData edge_data(bool programmatic) {
  cudaGraphEdgeData data{};
  if (!programmatic) return data;
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  data.type = cudaGraphDependencyTypeProgrammatic;
  return data;
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&](Machine& m) { give(handles_of(graph_of(m, graph), false), nodes, count); });
}

cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                            size_t* count) {
  return call([&](Machine& m) { give(handles_of(graph_of(m, graph), true), nodes, count); });
}

cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                        cudaGraphNode_t* to, cudaGraphEdgeData* data,
                                        size_t* count) {
  return call([&](Machine& m) {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) refuse(cudaErrorInvalidValue);
    Nodes starts, ends;
    std::vector<cudaGraphEdgeData> edges;
    for (const auto& node : graph_of(m, graph).nodes) {
      for (cudaGraphNode_t before : node->dependencies) {
        starts.push_back(before);
        ends.push_back(node.get());
        edges.push_back(edge_data(before == node->overlaps));
      }
    }
    const bool all_plain = std::ranges::all_of(edges, [](auto& edge) { return edge.type == 0; });
    // Runtime API, Graph Management, cudaGraphGetEdges: data may be omitted only if it is zero.
    require(from == nullptr || data != nullptr || all_plain, cudaErrorLossyQuery);
    std::size_t room = *count;
    if (data != nullptr) give(edges, data, &room);
    room = *count;
    give(starts, from, &room);
    give(ends, to, count);
  });
}

cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return answer(type, [&](Machine& m) {
    const bool is_known = std::ranges::any_of(m.graphs, [node](const auto& graph) {
      return std::ranges::find(graph->nodes, node, &std::unique_ptr<CUgraphNode_st>::get) !=
             graph->nodes.end();
    });
    require(is_known);
    return type_of(node->task);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device,
                                                     cudaGraphMemAttributeType attribute,
                                                     void* value) {
  return call([&](Machine& m) {
    require(device == 0, cudaErrorInvalidDevice);
    require(value != nullptr);
    auto& bytes = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent: bytes = m.graph_memory.used; return;
      case cudaGraphMemAttrUsedMemHigh: bytes = m.graph_memory.used_high; return;
      case cudaGraphMemAttrReservedMemCurrent: bytes = m.graph_memory.reserved; return;
      case cudaGraphMemAttrReservedMemHigh: bytes = m.graph_memory.reserved_high; return;
    }
    refuse(cudaErrorInvalidValue);
  });
}

cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device) {
  return call([&](Machine& m) {
    require(device == 0, cudaErrorInvalidDevice);
    trim_graph_memory(m);
  });
}
