// Describes the operations of an executable graph that an application launches.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/recorded_call.hpp"
#include "common/application/iteration/records/recorded_parts.hpp"

namespace trilane {

/// One operation of a graph. Its members mean the same as those of RecordedCall. Nodes of child
/// graphs are nodes of the graph itself; empty and disabled nodes are left out.
struct RecordedNode {
  CallKind kind = CallKind::other;
  std::uint64_t bytes = 0;
  std::uint32_t value = 0;
  std::uint32_t kernel = 0;
  std::vector<std::uint32_t> grid, block;
  std::uint64_t shared_bytes = 0;
  std::vector<UsedRange> uses;
  std::vector<std::uint32_t> after;  ///< its direct predecessors
  bool operator==(const RecordedNode&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedNode, (),
                      (kind, bytes, value, kernel, grid, block, shared_bytes, uses, after))

struct RecordedGraph {
  std::vector<RecordedNode> nodes;
  bool operator==(const RecordedGraph&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedGraph, (), (nodes))

/// Returns the node as a call that issues the same operation.
RecordedCall operation_of(const RecordedNode& node);
/// Returns the operation of such a call as a node without predecessors.
RecordedNode node_of(const RecordedCall& operation);

/// Throws a Misfit if the node is a graph launch, if a kernel lacks a grid and a block of three
/// numbers, or if any other node has them.
void cross_check(const RecordedNode& node);
/// Throws a Misfit unless each node follows only earlier ones.
void cross_check(const RecordedGraph& graph);

}  // namespace trilane
