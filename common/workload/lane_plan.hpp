// Plans of the variants that share an issue pattern, from the workload alone.
#pragma once

#include <string>

#include "common/workload/plan.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// Four stages per chunk, on one stream without fork and join, in memory allocated once per lane.
Plan stages_plan(const Workload& workload);

/// Four stages per chunk, on lanes forked from the origin and joined back into it.
Plan lanes_plan(const Workload& workload);

/// `plan` with one call of `allocate` and of `release` per chunk added.
Plan with_chunk_memory(Plan plan, const Workload& workload, const std::string& allocate,
                       const std::string& release);

/// `plan`, a plan for lanes, recorded: its operations become the nodes of a graph, chained in each
/// lane, and a pass is one launch of it.
Plan recorded(const Plan& plan, const Workload& workload);

/// `facts` as exact expectations, to be appended to plan.facts.
void expect(Plan& plan, const std::vector<Count>& facts);
/// The fact `name` at `value` or more.
void expect_at_least(Plan& plan, const std::string& name, std::uint64_t value);

/// `plan` with chunk memory from a private pool, and its settings as PoolScratch makes them.
Plan with_pool(Plan plan, const Workload& workload);

}  // namespace trilane
