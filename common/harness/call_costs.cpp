#include "common/harness/call_costs.hpp"

#include <algorithm>

#include "common/flavour/flavour.hpp"
#include "common/gpu/chunk_scratch.hpp"

namespace trilane {

namespace {

constexpr int readings = 7;
constexpr std::uint32_t calls = 64;  // of an event or a pool, in a row

int device_attribute(cudaDeviceAttr name) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, name, device));
  return value;
}

template <typename Action>
double timed_us(Action action) {
  const double start = now_us();
  action();
  return now_us() - start;
}

template <typename Call>
double cost_of(const Stream& stream, Call call) {
  double fastest = timed_us(call);
  for (int i = 1; i < readings; ++i) {
    check(cudaStreamSynchronize(stream.get()));
    fastest = std::min(fastest, timed_us(call));
  }
  check(cudaStreamSynchronize(stream.get()));
  return fastest;
}

void add_events(std::vector<CallCost>& costs) {
  const Stream stream = make_stream();
  const OrderingEvent event;
  const auto each = [&](auto call) {
    return cost_of(stream,
                   [&] {
                     for (std::uint32_t i = 0; i < calls; ++i) call();
                   }) /
           calls;
  };
  costs.push_back({"cudaEventRecord", each([&] { event.record_on(stream.get()); })});
  costs.push_back({"cudaStreamWaitEvent", each([&] { event.wait_on(stream.get()); })});
}

/// A few chunks are held at once: a lane of its own each, so that none waits for another's memory.
void add_pool(std::vector<CallCost>& costs, const Workload& workload) {
  const std::uint32_t held = std::min(workload.used_lanes(), 4u);
  const std::uint32_t made = held * workload.pool.allocations;
  const Stream stream = make_stream();
  PoolScratch scratch(workload, held);
  double allocations = 0, frees = 0;
  for (int i = 0; i <= readings; ++i) {  // the first, which fills the pool, does not count
    const double allocation = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.allocate(lane, stream.get());
    });
    const double free = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.free(lane, stream.get());
    });
    check(cudaStreamSynchronize(stream.get()));
    allocations = i <= 1 ? allocation : std::min(allocations, allocation);
    frees = i <= 1 ? free : std::min(frees, free);
  }
  costs.push_back({"cudaMallocFromPoolAsync", allocations / made});
  costs.push_back({"cudaFreeAsync", frees / made});
}

}  // namespace

std::vector<CallCost> call_costs(const Job& job, StageTimer& timer) {
  const auto host_us = [&](Stage stage) {
    return timer.host_us([stage](Stage other) { return other == stage; });
  };
  std::vector<CallCost> costs{
      {"cudaMemcpyAsync", (host_us(Stage::copy_in) + host_us(Stage::copy_out)) / 2},
      {"cudaMemsetAsync", host_us(Stage::clear)},
      {"cudaLaunchKernel", host_us(Stage::transform)}};
  add_events(costs);
  if (device_attribute(cudaDevAttrMemoryPoolsSupported) != 0) add_pool(costs, job.workload);
  return costs;
}

std::uint32_t copy_engines() {
  return static_cast<std::uint32_t>(device_attribute(cudaDevAttrAsyncEngineCount));
}

std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other) {
  for (CallCost& cost : one) {
    const auto found = std::ranges::find(other, cost.name, &CallCost::name);
    if (found != other.end()) cost.us = std::min(cost.us, found->us);
  }
  return one;
}

}  // namespace trilane
