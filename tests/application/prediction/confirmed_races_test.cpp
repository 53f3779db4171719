// A diagnosis's races equal those of the simulated device, which knows the ordering rules
// independently.
#include "common/application/prediction/simulated_prediction.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/happens_before.hpp"
#include "common/application/iteration/races.hpp"
#include "common/application/prediction/ways/ways.hpp"
#include "common/device/flavour/flavour.hpp"
#include "tests/application/prediction/plain_profile.hpp"

using plain::Iteration;

BOOST_AUTO_TEST_SUITE(confirmed_races)

using R = Recorded;

std::vector<RecordedRace> diagnosed(const ApplicationRecording& recording) {
  std::vector<RecordedRace> races = races_in(recording, HappensBefore(recording, 2)).found;
  confirm_races(recording, races);
  return races;
}

/// Returns true if two iterations, run with all of their copies and memsets, use bytes without an
/// order.
bool races_when_run(const ApplicationRecording& recording) {
  plain::start();
  const TimedOnly timed;
  const auto pass = make_pass(SimulatedWay::same_calls, recording);
  for (int i = 0; i < 2; ++i) pass();
  cudaDeviceSynchronize();
  return std::ranges::any_of(simulator::machine().hazards.reports(), [](const auto& report) {
    return report.hazard == simulator::Hazard::unordered;
  });
}

/// Puts the calls between a memset on one stream and one on another.
void between(Iteration& a, const std::function<void(Iteration&)>& calls) {
  a.memset(R::free_one, R::device);
  calls(a);
  a.memset(R::free_two, R::device);
  a.synchronize();
}

void test_both(Iteration a, bool race) {
  plain::start();
  const std::vector<RecordedRace> races = diagnosed(a.recording);
  BOOST_TEST(races.empty() != race);
  for (const RecordedRace& one : races) BOOST_TEST((one.confirmed == std::optional(true)));
  BOOST_TEST(races_when_run(a.close()) == race);
}

void test_between(const std::function<void(Iteration&)>& calls, bool race) {
  Iteration a;
  between(a, calls);
  test_both(a, race);
}

BOOST_AUTO_TEST_CASE(both_know_what_orders_two_streams) {
  test_between([](Iteration&) {}, true);
  test_between([](Iteration& a) { a.synchronize(); }, false);
  test_between([](Iteration& a) { a.synchronize(R::free_one); }, false);
  test_between([](Iteration& a) { a.synchronize(R::free_two); }, true);
  const auto event = [](std::uint32_t recorded, std::uint32_t waited) {
    return [=](Iteration& a) {
      a.record(recorded, R::free_one);
      a.record(waited, R::free_two);
      a.wait(recorded, R::free_two);
    };
  };
  test_between(event(1, 2), false);
  test_between([](Iteration& a) { a.wait(1, R::free_two), a.record(1, R::free_one); }, true);
  test_between([](Iteration& a) { a.record(1, R::free_one), a.wait_on_host(1); }, false);
  test_between(
      [](Iteration& a) {
        a.record(1, R::free_one);
        a.wait(1, R::blocking);
        a.record(2, R::blocking);
        a.wait(2, R::free_two);
      },
      false);
}

BOOST_AUTO_TEST_CASE(both_know_the_rule_of_the_legacy_stream) {
  const auto around = [](std::uint32_t one, std::uint32_t two, bool race) {
    Iteration a;
    a.memset(one, R::device);
    a.memset(R::legacy, R::other_device);
    a.memset(two, R::device);
    a.synchronize();
    test_both(a, race);
  };
  around(R::blocking, R::blocking_too, false);
  around(R::free_one, R::free_two, true);
  around(R::blocking, R::free_one, true);
}

BOOST_AUTO_TEST_CASE(both_know_which_copies_the_host_waits_for) {
  const auto copy = [](std::uint32_t from, std::uint32_t to, bool synchronous, bool race) {
    test_between(
        [=](Iteration& a) { a.copy(R::free_one, from, to, 8192).synchronous = synchronous; }, race);
  };
  copy(R::pinned, R::other_device, true, false);
  copy(R::pinned, R::other_device, false, true);
  copy(R::other_device, R::pinned, true, false);
  copy(R::pageable, R::other_device, false, true);
}

BOOST_AUTO_TEST_CASE(both_look_at_the_bytes) {
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device, 0, 4096);
  a.copy(R::free_two, R::device, R::other_device, 4096, 4096);
  a.synchronize();
  test_both(a, false);
  a.recording.calls[1].uses[0].offset = 4092;
  test_both(a, true);
  a.recording.calls[0].uses = a.recording.calls[1].uses;  // both read, and write other bytes
  a.recording.calls[0].uses[1].offset = 65536;
  test_both(a, false);
}

BOOST_AUTO_TEST_CASE(each_copy_of_a_batch_may_have_no_order) {
  plain::start();
  for (const bool first : {true, false}) {
    Iteration a;
    RecordedCall& batch = a.copy(R::free_one, R::pinned, first ? R::device : R::other_device);
    batch.uses.push_back({R::pinned, 8192, 1024, Use::reads});
    batch.uses.push_back({first ? R::other_device : R::device, 0, 1024, Use::writes});
    a.memset(R::free_two, R::device);
    a.synchronize();
    const std::vector<RecordedRace> races = diagnosed(a.recording);
    BOOST_REQUIRE(races.size() == 1u);
    BOOST_TEST((races[0].confirmed == std::optional(true)));
  }
}

BOOST_AUTO_TEST_CASE(both_know_that_two_iterations_can_race) {
  Iteration a;
  a.copy(R::free_two, R::device, R::pinned);
  a.record(1, R::free_two);
  a.wait(1, R::free_one);
  a.memset(R::free_one, R::device);
  test_both(a, true);
  BOOST_TEST(diagnosed(a.recording).at(0).next_iteration);
  a.synchronize();
  test_both(a, false);
}

BOOST_AUTO_TEST_CASE(a_possible_race_has_no_order_either) {
  plain::start();
  Iteration a;
  a.memset(R::free_one, R::device);
  a.kernel_of(5, R::free_two, {{R::device, 0, 64, Use::may_use}});
  std::vector<RecordedRace> races = diagnosed(a.recording);
  BOOST_REQUIRE(!races.empty());
  BOOST_TEST(!races[0].certain);
  BOOST_TEST((races[0].confirmed == std::optional(true)));
}

BOOST_AUTO_TEST_CASE(a_race_that_is_none_is_denied) {
  plain::start();
  Iteration a;
  between(a, [](Iteration&) {});
  std::vector<RecordedRace> races = diagnosed(a.recording);
  BOOST_REQUIRE(races.size() == 1u);
  Iteration ordered;
  between(ordered, [](Iteration& b) { b.synchronize(); });
  races[0].later.call = 2;
  confirm_races(ordered.recording, races);
  BOOST_TEST((races[0].confirmed == std::optional(false)));
}

BOOST_AUTO_TEST_CASE(what_the_device_does_not_know_stays_open) {
  plain::start();
  Iteration a;
  between(a, [](Iteration& b) { b.add(CallKind::other, "cuStreamWaitValue32", R::free_two); });
  BOOST_TEST(!diagnosed(a.recording).at(0).confirmed.has_value());
  Iteration managed;
  between(managed, [](Iteration&) {});
  managed.recording.memory[R::device].kind = MemoryKind::managed;
  BOOST_TEST(!diagnosed(managed.recording).at(0).confirmed.has_value());
  Iteration wide;
  between(wide, [](Iteration&) {});
  std::vector<RecordedRace> races = diagnosed(wide.recording);
  races.at(0).confirmed.reset();
  wide.recording.calls.resize(1000, wide.recording.calls.back());
  wide.recording.streams.resize(1001);
  confirm_races(wide.recording, races);
  BOOST_TEST(!races.at(0).confirmed.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
