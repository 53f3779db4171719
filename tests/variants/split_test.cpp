// Passes that are split over several GPUs, on the devices of either flavour: right output, the
// plan's parts on each GPU, and the first GPU current whenever a call of the variant ends.
#include <numeric>

#include "common/measure/gpu/lanes.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/probe.hpp"
#include "tests/device/cuda/several_devices.hpp"
#include "tests/variants/call_counter.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane {
namespace {

/// Returns all devices, and the last two the other way round.
std::vector<std::vector<std::uint32_t>> lists_of_gpus() {
  std::vector<std::uint32_t> all(static_cast<std::size_t>(several_devices()));
  std::iota(all.begin(), all.end(), 0u);
  const auto last = static_cast<std::uint32_t>(all.size() - 1);
  return {all, {last, last - 1}};
}

std::vector<VariantEntry> entries() {
  std::vector<VariantEntry> able;
  for (const VariantEntry& entry : registry()) {
    if (can_be_split(entry.plan(presets().front()).model)) able.push_back(entry);
  }
  BOOST_TEST_REQUIRE(able.size() == 4u);
  able.push_back(for_each_gpu(find_variant("graph"), "graph:each"));
  return able;
}

int current_device() {
  int device = -1;
  check(cudaGetDevice(&device));
  return device;
}

template <typename Body>
void for_all(Body body) {
  for (const auto& gpus : lists_of_gpus()) {
    check(cudaSetDevice(static_cast<int>(gpus.front())));
    for (const VariantEntry& entry : entries()) {
      for (Workload workload : awkward_shapes()) {
        workload.gpus = gpus;
        BOOST_TEST_CONTEXT(entry.name << ", " << workload.label()) { body(entry, workload); }
      }
    }
  }
  check(cudaSetDevice(0));
}

/// 5 chunks with 3 kernels each on 2 GPUs, 2 lanes each: two lanes on GPU 0 with 2 chunks and 1,
/// two on GPU 1 with 1 chunk each.
Workload counted_split() {
  Workload workload = shape("counted", 4 * 512 + 100, 512, 64, 2, 3);
  workload.gpus = {{0, 1}};
  return workload;
}

std::map<std::string, std::uint64_t> named(const std::vector<Count>& counts) {
  std::map<std::string, std::uint64_t> all;
  for (const Count& count : counts) all[count.name] = count.value;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(split_passes, *boost::unit_test::precondition(need_two_devices))

BOOST_AUTO_TEST_CASE(fresh_input_gives_the_right_output_with_the_parts_of_the_plan) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    const auto first = static_cast<int>(workload.gpus->front());
    CudaBench bench(workload, {entry}, 1);
    bench.set_up(0);
    BOOST_TEST(current_device() == first);
    for (const std::uint32_t batch : {1u, 1u, 3u}) {
      bench.new_input();
      BOOST_TEST(bench.check(0, batch) == "");
      BOOST_TEST(current_device() == first);
    }
    const auto missed = mismatches(entry.plan(workload).facts, bench.evidence(0));
    BOOST_TEST(missed.empty(), (missed.empty() ? "" : missed.front()));
    bench.tear_down(0);
  });
}

BOOST_AUTO_TEST_CASE(the_runtime_calls_of_a_split_pass_are_those_of_the_plan) {
  const std::map<std::string, std::uint64_t> of_gpus{
      {"streams", 31}, {"engines", 31}, {"threads", 5}, {"graph", 0}, {"graph:each", 3}};
  for (const VariantEntry& entry : entries()) {
    BOOST_TEST_CONTEXT(entry.name) {
      const Plan plan = entry.plan(counted_split());
      BOOST_TEST(calls_of(plan, "cudaSetDevice") == of_gpus.at(entry.name));
      if (!can_count_calls()) continue;
      const HostBuffers host(sizes_for(counted_split()), HostMemory::pinned);
      const Job job(counted_split(), host.in.get(), host.out.get());
      const Stream origin = make_stream();
      const auto variant = entry.make(job);
      const auto pass = [&] { variant->submit(origin.get()); };
      pass();  // one-time work of the first pass does not belong to a pass
      check(cudaStreamSynchronize(origin.get()));
      BOOST_TEST((count_calls(pass) == named(plan.calls)));
      check(cudaStreamSynchronize(origin.get()));
    }
  }
}

BOOST_AUTO_TEST_CASE(lanes_and_chunks_have_the_same_home) {
  const Workload workload = counted_split();
  const Lanes lanes(workload);
  for (const Step& step : Job(workload, nullptr, nullptr).steps) {
    const cudaStream_t lane = lanes[step.lane];
    BOOST_TEST(device_of(lane) == static_cast<int>(step.chunk % 2));
    BOOST_TEST(current_device() == device_of(lane));
  }
  check(cudaSetDevice(0));
}

BOOST_AUTO_TEST_CASE(kept_streams_stay_on_their_device) {
  const KeptStreams streams;
  cudaStream_t first = nullptr;
  {
    const Stream stream = make_stream();
    first = stream.get();
    check(cudaSetDevice(1));
  }
  BOOST_TEST(device_of(make_stream().get()) == 1);
  check(cudaSetDevice(0));
  BOOST_TEST(make_stream().get() == first);
  BOOST_TEST(streams.made() == 2u);
}

BOOST_AUTO_TEST_CASE(the_limit_of_a_split_pass_counts_the_chunks_of_one_gpu) {
  Workload workload = *std::ranges::find(presets(), "reduce", &Workload::name);
  const auto limit_of = [](const Workload& of) {
    const HostBuffers host(sizes_for(of), HostMemory::pinned);
    return probe_limit(Job(of, host.in.get(), host.out.get()));
  };
  const Limit one = limit_of(workload);
  workload.gpus = {{0, 1}};
  const Limit both = limit_of(workload);
  BOOST_TEST(current_device() == 0);
  BOOST_TEST(both.bound_us > 0);
  if (profile_in_use() == nullptr) return;
  // Simulated GPUs have links of their own.
  BOOST_TEST(both.duplex_in_gbps / one.duplex_in_gbps == 2, boost::test_tools::tolerance(0.02));
  BOOST_TEST(both.steady_in_us / one.steady_in_us == 1, boost::test_tools::tolerance(0.02));
  BOOST_TEST(both.bound_us < 0.6 * one.bound_us);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane
