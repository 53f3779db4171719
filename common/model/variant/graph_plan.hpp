// Plans of variants that launch a graph, from the workload alone.
#pragma once

#include "common/model/variant/plan.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// Returns `plan`, a plan for lanes, as recorded: its operations become the nodes of a graph,
/// chained in each lane, and a pass is one launch of it.
Plan recorded(const Plan& plan, const Workload& workload);

/// Returns the recorded graph of lanes in which kernels may start early, by programmatic edges.
Plan early_plan(const Workload& workload);

/// Returns four stages per chunk in memory allocated once per lane, in a graph with only the edges
/// that the data needs (recording.hpp). A pass is one launch of it.
Plan built_plan(const Workload& workload);

/// Returns the built graph in two sets of memory; a call sets each node before every launch.
Plan set_plan(const Workload& workload);

/// Returns the recorded graph in two sets of memory, captured again and updated before each launch.
Plan updated_plan(const Workload& workload);

/// Returns a recorded graph of one copy in, memset and copy out for all, and of kernels in lanes.
Plan coalesced_plan(const Workload& workload);

/// Returns a batch of copies for each segment of copies in one direction, and a recorded graph for
/// the stages between two of these: one memset for the whole pass, and kernels per chunk, chained
/// in lanes. The nodes are those of all graphs together.
Plan batch_plan(const Workload& workload);

}  // namespace trilane
