#include "common/application/replay/made_call.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/capture_obstacles.hpp"

namespace trilane {

namespace {

/// Returns zeros if the device does not know the attribute.
CUkernelNodeAttrValue attribute_of(CUgraphNode kernel, CUkernelNodeAttrID id) {
  CUkernelNodeAttrValue value{};
  const CUresult code = driver().cuGraphKernelNodeGetAttribute(kernel, id, &value);
  return code == CUDA_SUCCESS ? value : CUkernelNodeAttrValue{};
}

void count_kernel(CUgraphNode node, GraphContent& to) {
  ++to.kernels;
  if (attribute_of(node, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority < 0) ++to.prioritised;
  if (attribute_of(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative != 0) ++to.cooperative;
  const auto cluster = attribute_of(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
  if (cluster.x * cluster.y * cluster.z > 1) ++to.clusters;
}

void count_node(CUgraphNode node, GraphContent& to) {
  CUgraphNodeType type{};
  TRILANE_DRIVER(cuGraphNodeGetType, node, &type);
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return count_kernel(node, to);
    case CU_GRAPH_NODE_TYPE_MEMCPY: ++to.copies; return;
    case CU_GRAPH_NODE_TYPE_MEMSET: ++to.memsets; return;
    default: return;  // a child graph; a replay adds no others
  }
}

void expect_kernel(const RecordedCall& call, const ApplicationRecording& recording,
                   GraphContent& content) {
  ++content.kernels;
  if (priority_of(call, recording) < 0) ++content.prioritised;
  if (!call.attributes) return;
  if (call.attributes->cooperative) ++content.cooperative;
  const std::vector<std::uint32_t>& cluster = call.attributes->cluster;
  if (std::ranges::any_of(cluster, [](std::uint32_t blocks) { return blocks > 1; })) {
    ++content.clusters;
  }
}

void expect_node(const ApplicationRecording& recording, const CallSegment& segment,
                 const SegmentNode& node, GraphContent& content) {
  const RecordedCall& call = recording.calls[node.call];
  const std::uint64_t own = nodes_of(call);
  content.nodes += own;
  if (call.kind == CallKind::kernel) expect_kernel(call, recording, content);
  if (call.kind == CallKind::copy) content.copies += own;
  if (call.kind == CallKind::memset) ++content.memsets;
  for (const std::uint32_t earlier : node.after) {
    content.edges += own * nodes_of(recording.calls[segment.nodes[earlier].call]);
  }
  if (node.programmatic) content.programmatic_edges += node.after.size();
}

/// Returns the number of nodes of these nodes of a segment.
std::uint64_t nodes_of(const ApplicationRecording& recording, const CallSegment& segment,
                       const std::vector<std::uint32_t>& some) {
  return std::accumulate(some.begin(), some.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, std::uint32_t node) {
                           return sum + nodes_of(recording.calls[segment.nodes[node].call]);
                         });
}

}  // namespace

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

void add_content(CUgraph graph, GraphContent& to) {
  std::size_t count = 0, links = 0;
  TRILANE_DRIVER(cuGraphGetNodes, graph, nullptr, &count);
  std::vector<CUgraphNode> nodes(count);
  if (count > 0) TRILANE_DRIVER(cuGraphGetNodes, graph, nodes.data(), &count);
  for (const CUgraphNode node : nodes) count_node(node, to);
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

std::uint64_t nodes_of(const RecordedCall& call) {
  return std::max<std::uint64_t>(1, copies_in(call));
}

std::uint64_t expect_segment(const ApplicationRecording& recording, const CallSegment& segment,
                             std::uint64_t behind, GraphContent& content) {
  for (const SegmentNode& node : segment.nodes) expect_node(recording, segment, node, content);
  const SegmentEnds ends = ends_of(segment);
  content.edges += behind * nodes_of(recording, segment, ends.first);
  return nodes_of(recording, segment, ends.last);
}

std::vector<CUgraphNode> add_segment(
    CUgraph graph, const CallSegment& segment, std::vector<ReplayedCall>& calls,
    const std::vector<CUgraphNode>& behind, CUcontext context,
    const std::function<void(const SegmentNode&, ReplayedCall&, CUgraphNode)>& visit) {
  std::vector<std::vector<CUgraphNode>> added;  // by node of the segment
  const auto all_of = [&](const std::vector<std::uint32_t>& some) {
    std::vector<CUgraphNode> nodes;
    for (const std::uint32_t one : some) std::ranges::copy(added[one], std::back_inserter(nodes));
    return nodes;
  };
  for (const SegmentNode& node : segment.nodes) {
    const NodesBefore before{.nodes = node.after.empty() ? behind : all_of(node.after),
                             .programmatic = node.programmatic};
    ReplayedCall& call = calls[node.call];
    std::vector<CUgraphNode>& own = added.emplace_back();
    for (ReplayedCall& operation :
         call.copies.empty() ? std::span(&call, 1) : std::span(call.copies)) {
      own.push_back(add_node(graph, operation, before, context));
      if (visit) visit(node, operation, own.back());
    }
  }
  return all_of(ends_of(segment).last);
}

}  // namespace trilane
