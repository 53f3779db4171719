#include "common/model/variant/lane_plan.hpp"

#include "common/model/workload/steps.hpp"

namespace trilane {
namespace {

/// Adds what a pass over several GPUs needs besides: a call before each of the `turns` that lanes
/// take, which makes the lane's GPU current, and one in the end for the first GPU.
void split(Plan& plan, const Workload& workload, std::uint64_t turns) {
  if (!workload.gpus) return;
  plan.calls.push_back({"cudaSetDevice", turns + 1});
  expect(plan, {{"GPUs", workload.gpu_count()}});
}

/// Returns four stages per chunk on lanes, which take that many turns at being issued.
Plan on_lanes(const Workload& workload, std::uint64_t turns) {
  const std::uint32_t lanes = workload.used_lanes();
  Plan plan = stages_plan(workload);
  plan.model.chaining = Chaining::lanes;
  plan.calls.push_back({"cudaEventRecord", std::uint64_t{lanes} + 1});
  plan.calls.push_back({"cudaStreamWaitEvent", std::uint64_t{lanes} * 2});
  plan.streams = lanes;
  expect(plan, {{"streams", lanes}});
  split(plan, workload, turns);
  return plan;
}

}  // namespace

Plan stages_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks();
  const StageCounts stages = workload.stages();
  Plan plan;
  plan.model = {.issuer = Issuer::host,
                .chaining = Chaining::one_stream,
                .scratch = ScratchSource::lane,
                .mover = Mover::engines_per_chunk};
  plan.calls = {{"cudaMemcpyAsync", chunks * stages.copies()},
                {"cudaMemsetAsync", chunks * stages.clears},
                {"cudaLaunchKernel", chunks * stages.kernels}};
  plan.scratch_bytes = workload.scratch_bytes() * workload.used_lanes();
  // A copy from pageable memory returns when the driver has read it, one to it when complete.
  plan.blocks = workload.host_memory == HostMemory::pageable;
  return plan;
}

Plan lanes_plan(const Workload& workload) { return on_lanes(workload, workload.operations()); }

Plan threads_plan(const Workload& workload) {
  Plan plan = on_lanes(workload, workload.used_lanes());
  plan.model.issuer = Issuer::host_threads;
  plan.host_threads = workload.used_lanes();
  return plan;
}

Plan by_kernels(Plan plan) {
  const std::uint64_t kernels = calls_of(plan, "cudaMemcpyAsync") +
                                calls_of(plan, "cudaMemsetAsync") +
                                calls_of(plan, "cudaLaunchKernel");
  std::erase_if(plan.calls, [](const Count& call) {
    return call.name == "cudaMemcpyAsync" || call.name == "cudaMemsetAsync";
  });
  std::ranges::find(plan.calls, "cudaLaunchKernel", &Count::name)->value = kernels;
  plan.model.mover = Mover::kernels;
  plan.maps_host = true;
  return plan;
}

Plan fused_plan(const Workload& workload) {
  Plan plan = by_kernels(lanes_plan(workload));
  std::ranges::find(plan.calls, "cudaLaunchKernel", &Count::name)->value = workload.chunks();
  plan.model.mover = Mover::fused_per_chunk;
  plan.model.scratch = ScratchSource::none;
  plan.scratch_bytes = 0;
  return plan;
}

Plan engines_plan(const Workload& workload) {
  const EngineOrder order = engine_order_of(workload);
  const std::uint64_t chunks = workload.chunks();
  const std::uint64_t take_over = chunks - workload.used_lanes();  // chunks that reuse memory
  const std::uint32_t streams = engine_count * workload.gpu_count();
  Plan plan = stages_plan(workload);
  plan.model.chaining = Chaining::engines;
  plan.calls.push_back({"cudaEventRecord", order.records() * chunks + 1 + streams});
  plan.calls.push_back({"cudaStreamWaitEvent", order.waits_within() * chunks +
                                                   order.waits_across() * take_over + 2 * streams});
  plan.streams = streams;
  expect(plan, {{"streams", streams}});
  split(plan, workload, workload.operations());
  return plan;
}

void expect(Plan& plan, const std::vector<Count>& facts) {
  for (const Count& fact : facts) plan.facts.push_back({fact.name, fact.value, false});
}

void expect_at_least(Plan& plan, const std::string& name, std::uint64_t value) {
  plan.facts.push_back({name, value, true});
}

Plan with_pool(Plan plan, const Workload& workload, const PoolPolicy& policy) {
  const std::uint64_t calls = allocations_of_pass(workload, policy);
  plan.model.scratch = policy.threshold == 0 ? ScratchSource::trimmed_pool : ScratchSource::pool;
  plan.calls.push_back({"cudaMallocFromPoolAsync", calls});
  plan.calls.push_back({"cudaFreeAsync", calls});
  plan.needs_pools = true;
  expect(plan, {{"pools", policy.per_lane ? workload.used_lanes() : 1},
                {"release threshold", policy.threshold},
                {"reuse after events", policy.follow_events},
                {"reuse opportunistic", policy.opportunistic},
                {"reuse by added order", policy.internal}});
  return plan;
}

Plan pool_plan(const Workload& workload) {
  Plan plan = with_pool(lanes_plan(workload), workload, workload.pool);
  expect_at_least(plan, "pool used high bytes", workload.scratch_bytes());
  return plan;
}

}  // namespace trilane
