#include "common/application/replay/candidates/graph_content.hpp"

#include <algorithm>

#include "common/application/replay/calls/driver_error.hpp"

namespace trilane {

namespace {

/// Returns zeros if the device does not know the attribute.
CUkernelNodeAttrValue attribute_of(CUgraphNode kernel, CUkernelNodeAttrID id) {
  CUkernelNodeAttrValue value{};
  const CUresult code = driver().cuGraphKernelNodeGetAttribute(kernel, id, &value);
  return code == CUDA_SUCCESS ? value : CUkernelNodeAttrValue{};
}

void add_kernel(CUgraphNode node, GraphContent& to) {
  ++to.kernels;
  if (attribute_of(node, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority < 0) ++to.prioritised;
  if (attribute_of(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative != 0) ++to.cooperative;
  const auto cluster = attribute_of(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
  if (cluster.x * cluster.y * cluster.z > 1) ++to.clusters;
}

void add_node(CUgraphNode node, GraphContent& to) {
  CUgraphNodeType type{};
  TRILANE_DRIVER(cuGraphNodeGetType, node, &type);
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return add_kernel(node, to);
    case CU_GRAPH_NODE_TYPE_MEMCPY: ++to.copies; return;
    case CU_GRAPH_NODE_TYPE_MEMSET: ++to.memsets; return;
    default: return;  // a child graph; a replay adds no others
  }
}

}  // namespace

void add_content(CUgraph graph, GraphContent& to) {
  std::size_t count = 0, links = 0;
  TRILANE_DRIVER(cuGraphGetNodes, graph, nullptr, &count);
  std::vector<CUgraphNode> nodes(count);
  if (count > 0) TRILANE_DRIVER(cuGraphGetNodes, graph, nodes.data(), &count);
  for (const CUgraphNode node : nodes) add_node(node, to);
  TRILANE_DRIVER(cuGraphGetEdges, graph, nullptr, nullptr, nullptr, &links);
  std::vector<CUgraphNode> from(links), behind(links);
  std::vector<CUgraphEdgeData> data(links);
  if (links > 0) {
    TRILANE_DRIVER(cuGraphGetEdges, graph, from.data(), behind.data(), data.data(), &links);
  }
  to.nodes += count;
  to.edges += links;
  to.programmatic_edges += static_cast<std::uint64_t>(
      std::ranges::count(data, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, &CUgraphEdgeData::type));
}

std::vector<Count> facts_of(const GraphContent& content) {
  return {{"nodes", content.nodes},
          {"kernel nodes", content.kernels},
          {"copy nodes", content.copies},
          {"memset nodes", content.memsets},
          {"edges", content.edges},
          {"programmatic edges", content.programmatic_edges},
          {"prioritised kernels", content.prioritised},
          {"cooperative kernels", content.cooperative},
          {"kernels in clusters", content.clusters}};
}

}  // namespace trilane
