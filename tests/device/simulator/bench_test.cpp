// The harness' bench on the simulated device: timed passes move no data, and ordering mistakes are
// found by the check of the variant that made them.
#include "common/measure/harness/cuda_bench.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/harness/probe.hpp"
#include "tests/variants/broken.hpp"
#include "tests/variants/shapes.hpp"

using simulator::Hazard;
using simulator::machine;

BOOST_AUTO_TEST_SUITE(bench)

namespace {

Workload small() { return shape("small", 4 * 256, 256, 256, 2); }

void plant(const std::string& text) { machine().hazards.report(Hazard::unordered, text); }

/// Two variants without a mistake, set up on a restarted device.
struct Two {
  CudaBench bench;

  Two()
      : bench((start_simulation({}), small()), {broken(Mistake::none), broken(Mistake::none)}, 1) {
    bench.set_up(0);
    bench.set_up(1);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_timed_pass_moves_no_data_and_a_checked_one_does) {
  Two two;
  std::byte* const out = two.bench.job().steps.front().host_out;
  out[0] = std::byte{42};
  two.bench.pass(0);
  two.bench.sample(0, 2);
  BOOST_TEST((out[0] == std::byte{42}));
  probe_limit(two.bench.job());
  BOOST_TEST((out[0] == std::byte{42}));
  BOOST_TEST(two.bench.check(0, 1) == "");
  BOOST_TEST(machine().moves_data());
}

BOOST_AUTO_TEST_CASE(after_a_signal_no_further_pass_or_reading_begins) {
  Two two;
  const InterruptGuard guard;
  raise(SIGINT);
  BOOST_CHECK_THROW(two.bench.pass(0), Interrupted);
  BOOST_CHECK_THROW(two.bench.sample(0, 2), Interrupted);
  BOOST_CHECK_THROW(two.bench.check(0, 2), Interrupted);
  BOOST_CHECK_THROW(probe_limit(two.bench.job()), Interrupted);
  two.bench.tear_down(0);  // as after every interrupt
}

BOOST_AUTO_TEST_CASE(a_slowed_variant_takes_longer_by_its_share_and_the_other_waits_as_long) {
  start_simulation({});
  SlowedBench slowed(small(), {broken(Mistake::none), broken(Mistake::none)}, 1, 0.5);
  for (const std::size_t variant : {0u, 1u}) slowed.set_up(variant);
  for (const std::size_t variant : {0u, 1u}) {
    const double start = slowed.now();
    const double wall_us = slowed.pass(variant);
    const double with_wait = variant == 0 ? 1.5 * wall_us : wall_us;
    BOOST_TEST(slowed.now() - start == with_wait, boost::test_tools::tolerance(0.01));
  }
  const Sample plain = slowed.sample(0, 2), slow = slowed.sample(1, 2);
  BOOST_TEST(slow.wall_us == 1.5 * plain.wall_us, boost::test_tools::tolerance(0.05));
  BOOST_TEST(slow.submit_us == plain.submit_us, boost::test_tools::tolerance(0.05));
  BOOST_TEST(slow.device_us == plain.device_us, boost::test_tools::tolerance(0.05));
}

// Copies of pageable memory may wait for the device, so nothing can be held back behind a gate.
BOOST_AUTO_TEST_CASE(a_probe_that_gives_up_leaves_nothing_under_way) {
  start_simulation({});
  Workload workload = small();
  workload.host_memory = HostMemory::pageable;
  {
    const CudaBench bench(workload, {}, 1);
    BOOST_CHECK_THROW(probe_limit(bench.job()), LaunchesBlock);
  }
  const auto hazards = take_hazards();
  BOOST_TEST(hazards == std::vector<std::string>{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_check_tells_the_first_mistake_of_order_and_how_many_more) {
  Two two;
  plant("one");
  BOOST_TEST(two.bench.check(0, 1) == "order: unordered: one");
  BOOST_TEST(two.bench.check(0, 1) == "");
  for (const char* text : {"one", "two", "three"}) plant(text);
  BOOST_TEST(two.bench.check(0, 1) == "order: unordered: one and 2 more");
}

BOOST_AUTO_TEST_CASE(mistakes_of_timed_passes_wait_for_the_check_of_that_variant) {
  Two two;
  plant("in a pass");
  two.bench.pass(0);
  plant("in a sample");
  two.bench.sample(1, 1);
  BOOST_TEST(two.bench.check(0, 1) == "order: unordered: in a pass");
  BOOST_TEST(two.bench.check(1, 1) == "order: unordered: in a sample");
  plant("in a set-up");
  two.bench.set_up(0);
  BOOST_TEST(two.bench.check(1, 1) == "");
  BOOST_TEST(two.bench.check(0, 1) == "order: unordered: in a set-up");
}

BOOST_AUTO_TEST_CASE(wrong_data_come_first) {
  start_simulation({});
  CudaBench bench(small(), {broken(Mistake::last_chunk_skipped)}, 1);
  bench.set_up(0);
  plant("one");
  const std::string said = bench.check(0, 1);
  BOOST_TEST(said.starts_with("wrong data: 256 of 1024 words, the first at byte 3072: "), said);
  BOOST_TEST(said.ends_with("; order: unordered: one"), said);
  BOOST_TEST(bench.check(0, 1).find("order") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_mistake_that_no_check_follows_fails_the_tear_down) {
  Two two;
  plant("at the end");
  BOOST_CHECK_EXCEPTION(two.bench.tear_down(0), std::runtime_error, [](const auto& error) {
    return std::string(error.what()) == "order: unordered: at the end";
  });
  BOOST_TEST(two.bench.tear_down(1) > 0);
}

BOOST_AUTO_TEST_CASE(lanes_that_share_memory_are_caught_whatever_order_is_drawn) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    start_simulation({.profile = {}, .fault = {}, .seed = seed});
    CudaBench bench(small(), {broken(Mistake::scratch_shared)}, 1);
    bench.set_up(0);
    BOOST_TEST(bench.check(0, 1).find("order: unordered: ") != std::string::npos, seed);
  }
}

/// Returns the names of the phases of that variant's set-up.
std::vector<std::string> set_up_phases(const std::string& variant) {
  start_simulation({});
  CudaBench bench(small(), {find_variant(variant)}, 1);
  const double taken = bench.set_up(0);
  std::vector<std::string> names;
  double in_phases = 0;
  for (const auto& [name, us] : bench.phases()) {
    names.emplace_back(name);
    in_phases += us;
  }
  // Virtual time passes only in calls of the runtime, and nearly all of them are in some phase.
  BOOST_TEST(in_phases == taken, boost::test_tools::tolerance(0.05));
  return names;
}

BOOST_AUTO_TEST_CASE(set_ups_tell_their_phases) {
  using Names = std::vector<std::string>;
  const std::pair<const char*, Names> cases[]{
      {"serial", {"allocation"}},
      {"streams", {"streams", "allocation"}},
      {"pool", {"streams", "pool"}},
      {"graph", {"streams", "allocation", "capture", "instantiate", "upload"}},
      {"graph_built", {"allocation", "build", "instantiate", "upload"}},
      {"graph_pool", {"streams", "pool", "capture", "instantiate", "upload"}}};
  for (const auto& [variant, names] : cases) {
    BOOST_TEST_CONTEXT(variant) {
      BOOST_TEST(set_up_phases(variant) == names, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pass_by_phase_tells_of_the_pool_and_of_nothing_else) {
  start_simulation({});
  CudaBench bench(small(), {find_variant("pool"), find_variant("streams")}, 1);
  bench.set_up(0);
  bench.pass_by_phase(0);
  BOOST_TEST_REQUIRE(bench.phases().size() == 1u);
  BOOST_TEST(bench.phases()[0].first == "pool allocation");
  bench.set_up(1);
  bench.pass_by_phase(1);
  BOOST_TEST(bench.phases().empty());
}

BOOST_AUTO_TEST_CASE(free_memory_is_less_by_what_is_set_up) {
  start_simulation({});
  CudaBench bench(small(), {find_variant("streams")}, 1);
  const std::uint64_t before = bench.free_bytes();
  bench.set_up(0);
  BOOST_TEST(before - bench.free_bytes() == find_variant("streams").plan(small()).scratch_bytes);
  bench.tear_down(0);
  BOOST_TEST(bench.free_bytes() == before);
}

BOOST_AUTO_TEST_SUITE_END()
