// Makes the calls of an iteration again, one by one.
#pragma once

#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/replayed_call.hpp"

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

}  // namespace trilane
