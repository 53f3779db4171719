#include "common/measure/harness/pricing/call_costs.hpp"

#include <algorithm>
#include <limits>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/gpu/stages/chunk_scratch.hpp"
#include "common/model/workload/steps/buffer_layout.hpp"

namespace trilane {

namespace {

constexpr int readings_of_calls = 7;
constexpr int calls = 64;  // event functions in a row
constexpr double never = std::numeric_limits<double>::infinity();

/// Returns the time of one of many calls in a row, from the fastest of several readings.
template <typename Call>
double each_us(const Stream& stream, Call call) {
  double fastest = never;
  for (int reading = 0; reading < readings_of_calls; ++reading) {
    fastest = std::min(fastest, timed_us([&] {
                         for (int i = 0; i < calls; ++i) call();
                       }));
    check(cudaStreamSynchronize(stream.get()));
  }
  return fastest / calls;
}

void add_events(std::vector<CallCost>& costs) {
  const Stream stream = make_stream();
  const OrderingEvent event;
  costs.push_back({"cudaEventRecord", each_us(stream, [&] { event.record_on(stream.get()); })});
  costs.push_back({"cudaStreamWaitEvent", each_us(stream, [&] { event.wait_on(stream.get()); })});
}

/// Holds a few chunks at once, as lanes do. They are small to save memory.
void add_pool(std::vector<CallCost>& costs, Workload workload) {
  constexpr std::uint64_t small = 4 << 10;
  workload.chunk_bytes = std::min(workload.chunk_bytes, small);
  workload.result_bytes = std::min(workload.result_bytes, small);
  const std::uint32_t held = std::min(workload.lanes, 4u);
  const Stream stream = make_stream();
  PoolScratch scratch(workload, held);
  double allocating = never, freeing = never;
  for (int reading = 0; reading <= readings_of_calls; ++reading) {
    const double allocated = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.allocate(lane, stream.get());
    });
    const double freed = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.free(lane, stream.get());
    });
    check(cudaStreamSynchronize(stream.get()));
    if (reading == 0) continue;  // the first reading fills the pool
    allocating = std::min(allocating, allocated);
    freeing = std::min(freeing, freed);
  }
  const std::uint32_t each = held * allocations_per_chunk(layout_of(workload), workload.pool);
  costs.push_back({"cudaMallocFromPoolAsync", allocating / each});
  costs.push_back({"cudaFreeAsync", freeing / each});
}

/// Adds the costs of allocating and freeing the memory of one chunk.
void add_malloc(std::vector<CallCost>& costs, const Workload& workload) {
  double allocating = never, freeing = never;
  for (int reading = 0; reading < readings_of_calls; ++reading) {
    DeviceBuffer memory;
    allocating = std::min(allocating,
                          timed_us([&] { memory = make_device_buffer(workload.scratch_bytes()); }));
    freeing = std::min(freeing, timed_us([&] { memory.reset(); }));
  }
  costs.push_back({"cudaMalloc", allocating});
  costs.push_back({"cudaFree", freeing});
}

}  // namespace

std::vector<CallCost> call_costs(const Job& job, StageTimer& timer) {
  std::vector<CallCost> costs{
      {"cudaMemcpyAsync", (timer.host_us({Stage::copy_in}) + timer.host_us({Stage::copy_out})) / 2},
      {"cudaMemsetAsync", timer.host_us({Stage::clear})},
      {"cudaLaunchKernel", timer.host_us({Stage::transform})}};
  add_events(costs);
  add_malloc(costs, job.workload);
  if (device_attribute(cudaDevAttrMemoryPoolsSupported) != 0) add_pool(costs, job.workload);
  return costs;
}

std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other) {
  for (CallCost& cost : one) {
    const auto found = std::ranges::find(other, cost.name, &CallCost::name);
    if (found != other.end()) cost.us = std::min(cost.us, found->us);
  }
  return one;
}

}  // namespace trilane
