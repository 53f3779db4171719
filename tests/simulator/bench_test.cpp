// What the harness' bench makes of the simulated device: timed passes move no data, and mistakes of
// order come out of the check of the variant that made them.
#include "common/harness/cuda_bench.hpp"

#include <boost/test/unit_test.hpp>

#include "common/flavour/flavour.hpp"
#include "common/harness/probe.hpp"
#include "common/simulator/machine.hpp"
#include "tests/gpu/broken.hpp"
#include "tests/gpu/shapes.hpp"

using namespace trilane;
using simulator::Hazard;
using simulator::machine;

namespace {

Workload small() { return shape("small", 4 * 256, 256, 256, 2); }

void plant(const std::string& text) { machine().hazards.report(Hazard::unordered, text); }

/// Two variants without a mistake, set up on a device that was started over.
struct Two {
  CudaBench bench;

  Two()
      : bench((start_simulation({}), small()), {broken(Mistake::none), broken(Mistake::none)}, 1) {
    bench.set_up(0);
    bench.set_up(1);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bench)

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
  BOOST_TEST(machine().moves_data);
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

BOOST_AUTO_TEST_SUITE_END()
