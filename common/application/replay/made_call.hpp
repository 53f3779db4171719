// Makes the calls of an iteration again, one by one or as nodes of a graph.
#pragma once

#include "common/application/iteration/call_segments.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/replayed_call.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// Addresses of an iteration's allocations in the current pass, by number.
using Allocations = std::vector<CUdeviceptr>;

/// Fills in every address of the call. `allocations` may be empty if nothing moves.
void settle(ReplayedCall& call, const Allocations& allocations);

/// Puts one kernel, copy or memset into its stream.
void issue_operation(ReplayedCall& call);

/// The direct predecessors of a node.
struct NodesBefore {
  std::vector<CUgraphNode> nodes{};
  bool programmatic = false;  ///< it may begin when the kernel there allows it
};

/// Adds the same, or what a launched graph does, to a graph. Returns the node.
CUgraphNode add_node(CUgraph graph, ReplayedCall& call, const NodesBefore& before,
                     CUcontext context);

/// Sets a kernel's arguments, a copy's or memset's addresses, or all of a child graph.
void set_node(CUgraphExec graph, CUgraphNode node, ReplayedCall& call, CUcontext context);

/// Keeps the host busy from `now_us` until `us` by recorder_now_us(). Returns the time at the end.
double wait_until(double us, double now_us);

struct GraphContent {
  std::uint64_t nodes = 0, kernels = 0, copies = 0, memsets = 0;
  std::uint64_t edges = 0;
  std::uint64_t programmatic_edges = 0;  ///< among them
  std::uint64_t prioritised = 0;         ///< kernels with a higher priority than most: below 0
  std::uint64_t cooperative = 0;
  std::uint64_t clusters = 0;  ///< kernels in clusters of several blocks
};

/// Returns the counts by their names, "nodes", "programmatic edges"; that of clusters is the last.
std::vector<Count> facts_of(const GraphContent& content);

/// Adds what the driver says of a graph, without the graphs of its nodes.
void add_content(CUgraph graph, GraphContent& to);

/// Returns the number of nodes in a graph: one per operation or copy of a batch.
std::uint64_t nodes_of(const RecordedCall& call);

/// Adds what add_segment() will add behind that many nodes. Returns how many end the segment.
std::uint64_t expect_segment(const ApplicationRecording& recording, const CallSegment& segment,
                             std::uint64_t behind, GraphContent& content);

/// Adds a segment's operations; those that follow no other one follow the nodes `behind`. Calls
/// visit(SegmentNode, ReplayedCall, CUgraphNode) for each. Returns the nodes that end the segment.
std::vector<CUgraphNode> add_segment(
    CUgraph graph, const CallSegment& segment, std::vector<ReplayedCall>& calls,
    const std::vector<CUgraphNode>& behind, CUcontext context,
    const std::function<void(const SegmentNode&, ReplayedCall&, CUgraphNode)>& visit = {});

}  // namespace trilane
