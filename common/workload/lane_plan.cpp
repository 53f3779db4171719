#include "common/workload/lane_plan.hpp"

#include <algorithm>

namespace trilane {

namespace {

std::uint64_t calls_of(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.calls, name, &Count::name);
  return found == plan.calls.end() ? 0 : found->value;
}

}  // namespace

Plan stages_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks();
  Plan plan;
  plan.calls = {{"cudaMemcpyAsync", 2 * chunks},
                {"cudaMemsetAsync", chunks},
                {"cudaLaunchKernel", chunks * workload.depth}};
  plan.scratch_bytes = workload.scratch_bytes() * workload.used_lanes();
  return plan;
}

Plan lanes_plan(const Workload& workload) {
  const std::uint32_t lanes = workload.used_lanes();
  Plan plan = stages_plan(workload);
  plan.calls.push_back({"cudaEventRecord", std::uint64_t{lanes} + 1});
  plan.calls.push_back({"cudaStreamWaitEvent", std::uint64_t{lanes} * 2});
  plan.streams = lanes;
  expect(plan, {{"streams", lanes}});
  return plan;
}

Plan with_chunk_memory(Plan plan, const Workload& workload, const std::string& allocate,
                       const std::string& release) {
  plan.calls.push_back({allocate, workload.chunks()});
  plan.calls.push_back({release, workload.chunks()});
  return plan;
}

Plan recorded(const Plan& plan, const Workload& workload) {
  const std::uint64_t lanes = workload.used_lanes();
  const std::uint64_t allocations = calls_of(plan, "cudaMallocFromPoolAsync");
  const std::uint64_t per_chunk = 3 + workload.depth + (allocations > 0 ? 2 : 0);
  const std::uint64_t nodes = workload.chunks() * per_chunk;
  const std::uint64_t chunks_of_first_lane = (workload.chunks() + lanes - 1) / lanes;
  Plan graph = plan;
  graph.calls = {{"cudaGraphLaunch", 1}};
  graph.nodes = {{"kernel nodes", calls_of(plan, "cudaLaunchKernel")},
                 {"memcpy nodes", calls_of(plan, "cudaMemcpyAsync")},
                 {"memset nodes", calls_of(plan, "cudaMemsetAsync")},
                 {"alloc nodes", allocations},
                 {"free nodes", allocations},
                 {"other nodes", 0},
                 {"roots", lanes},
                 {"edges", nodes - lanes},
                 {"longest path", chunks_of_first_lane * per_chunk}};
  expect(graph, graph.nodes);
  if (allocations > 0) {
    expect_at_least(graph, "graph memory reserved bytes", workload.scratch_bytes());
    // A capture takes nothing from the pool: the graph owns the memory of its allocation nodes.
    expect(graph, {{"pool used high bytes", 0}});
  }
  return graph;
}

void expect(Plan& plan, const std::vector<Count>& facts) {
  for (const Count& fact : facts) plan.facts.push_back({fact.name, fact.value, false});
}

void expect_at_least(Plan& plan, const std::string& name, std::uint64_t value) {
  plan.facts.push_back({name, value, true});
}

Plan with_pool(Plan lanes, const Workload& workload) {
  Plan plan =
      with_chunk_memory(std::move(lanes), workload, "cudaMallocFromPoolAsync", "cudaFreeAsync");
  plan.needs_pools = true;
  expect(plan, {{"release threshold", UINT64_MAX},
                {"reuse after events", 1},
                {"reuse opportunistic", 0},
                {"reuse by added order", 0}});
  return plan;
}

}  // namespace trilane
