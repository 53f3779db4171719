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

/// Returns a call or node with what `from`, a node or call, says of its operation.
template <typename To>
To operation_from(const auto& from) {
  To to;
  to.kind = from.kind;
  to.bytes = from.bytes;
  to.value = from.value;
  to.kernel = from.kernel;
  to.grid = from.grid;
  to.block = from.block;
  to.shared_bytes = from.shared_bytes;
  to.uses = from.uses;
  return to;
}

/// Returns the node as a call that issues the same operation.
inline RecordedCall operation_of(const RecordedNode& node) {
  return operation_from<RecordedCall>(node);
}
/// Returns the operation of such a call as a node without predecessors.
inline RecordedNode node_of(const RecordedCall& operation) {
  return operation_from<RecordedNode>(operation);
}

/// Throws a Misfit if the node is a graph launch, if a kernel lacks a grid and a block of three
/// numbers, or if any other node has them.
void cross_check(const RecordedNode& node);
/// Throws a Misfit unless each node follows only earlier ones.
void cross_check(const RecordedGraph& graph);

}  // namespace trilane
