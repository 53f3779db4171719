// What an executable graph does that an application launches.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/recorded_call.hpp"
#include "common/application/iteration/records/recorded_parts.hpp"

namespace trilane {

/// One operation of a graph. Its members mean what those of a RecordedCall do. Nodes of child
/// graphs are nodes of the graph itself; empty and disabled nodes are left out.
struct RecordedNode {
  CallKind kind = CallKind::other;
  std::uint64_t bytes = 0;
  std::uint32_t value = 0;
  std::uint32_t kernel = 0;
  std::vector<std::uint32_t> grid, block;
  std::uint64_t shared_bytes = 0;
  std::vector<UsedRange> uses;
  std::vector<std::uint32_t> after;  ///< the earlier nodes that it follows directly
  bool operator==(const RecordedNode&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedNode, (),
                      (kind, bytes, value, kernel, grid, block, shared_bytes, uses, after))

struct RecordedGraph {
  std::vector<RecordedNode> nodes;
  bool operator==(const RecordedGraph&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedGraph, (), (nodes))

/// The node as a call that issues the same operation.
RecordedCall operation_of(const RecordedNode& node);
/// The operation of such a call as a node without predecessors.
RecordedNode node_of(const RecordedCall& operation);

/// Throws a Misfit unless the node is no graph launch, and kernels, and nothing else, have a grid
/// and a block of three numbers.
void cross_check(const RecordedNode& node);
/// Throws a Misfit unless each node follows only earlier ones.
void cross_check(const RecordedGraph& graph);

}  // namespace trilane
