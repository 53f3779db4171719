// Plans of variants that the host issues, from the workload alone.
#pragma once

#include "common/model/variant/plan.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns four stages per chunk, issued on one stream, in memory allocated once per lane.
Plan stages_plan(const Workload& workload);

/// Returns four stages per chunk, on lanes forked from the origin and joined back into it.
Plan lanes_plan(const Workload& workload);

/// Returns lanes_plan() with a host thread for each lane.
Plan threads_plan(const Workload& workload);

/// Returns `plan` with the copies and memsets done by kernels through mapped host memory.
Plan by_kernels(Plan plan);

/// Returns one kernel per chunk from mapped to mapped host memory, on lanes as in lanes_plan.
Plan fused_plan(const Workload& workload);

/// Returns four stages per chunk in memory allocated once per lane, chained by events: one stream
/// for copies in, one for memsets and kernels, one for copies out.
Plan engines_plan(const Workload& workload);

/// Returns `plan` with chunk memory from private pools, set up by `policy`.
Plan with_pool(Plan plan, const Workload& workload, const PoolPolicy& policy);

/// Returns lanes_plan() with chunk memory from private pools, set up by the workload's policy.
Plan pool_plan(const Workload& workload);

/// Appends `facts` to plan.facts as exact expectations.
void expect(Plan& plan, const std::vector<Count>& facts);
/// Expects the fact `name` to be at least `value`.
void expect_at_least(Plan& plan, const std::string& name, std::uint64_t value);

}  // namespace trilane
