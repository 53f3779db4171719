// Allocations of an iteration, with their recorded times.
#include "tests/application/prediction/plain_profile.hpp"

using namespace trilane;
using namespace plain;

BOOST_AUTO_TEST_SUITE(recorded_allocations)

namespace {

using R = Recorded;

/// Starts a profile with 50 us for an allocation, 25 for a free, and 90 for a pool to get more
/// memory.
void start() {
  Profile profile = plain::profile();
  profile.memory.malloc = {{1, 50}};
  profile.memory.free = {{1, 25}};
  profile.memory.first_us = profile.memory.trim_us = 45;
  plain::start(profile);
}

/// Returns a chunk of 60 us, between an allocation of 70 us and a free.
Iteration allocates(std::optional<double> free_us, bool waits_before) {
  Iteration a;
  a.recording.streams = {{.kind = StreamKind::non_blocking}};
  a.recording.memory[R::device].within = true;
  add_allocation(a, CallKind::allocate, 70);
  a.chunk(30, 0, 0);
  if (waits_before) a.synchronize(0);
  add_allocation(a, CallKind::free, free_us);
  if (!waits_before) a.synchronize(0);
  return a;
}

bool says_so(const SimulatedTimes& all) {
  return std::ranges::any_of(all.notes, [](const std::string& note) {
    return note == "Allocations and their frees also take their recorded times.";
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_take_the_times_that_were_recorded) {
  start();
  const SimulatedTimes all = predict(allocates(40, true));
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 170.0, near);
  BOOST_TEST(us(all, SimulatedWay::graph) == 60.0, near);
  BOOST_TEST(says_so(all));
}

BOOST_AUTO_TEST_CASE(what_listening_added_to_them_is_left_out) {
  start();
  Iteration a = allocates(40, true);
  for (RecordedCall& call : a.recording.calls) {
    call.own_us = 0;
    if (!call.call_us) call.call_us = call.kind == CallKind::synchronize_stream ? 90 : 0;
  }
  a.recording.watched_us = {100};  // of 200
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 115.0, near);
}

BOOST_AUTO_TEST_CASE(a_recorded_free_has_its_wait_for_the_device_in_it) {
  start();
  BOOST_TEST(us(predict(allocates(40, false)), SimulatedWay::same_calls) == 130.0, near);
  BOOST_TEST(us(predict(allocates(80, false)), SimulatedWay::same_calls) == 150.0, near);
}

BOOST_AUTO_TEST_CASE(they_take_the_profiles_times_if_one_was_not_recorded) {
  start();
  const SimulatedTimes all = predict(allocates(std::nullopt, true));
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 135.0, near);
  BOOST_TEST(!says_so(all));
}

BOOST_AUTO_TEST_CASE(a_pool_keeps_what_is_freed) {
  start();
  BOOST_TEST(us(predict(allocates(40, false)), SimulatedWay::pool) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(a_pool_of_the_applications_own_is_not_replaced) {
  start();
  Iteration a = allocates(40, true);
  a.recording.memory[R::device].kind = MemoryKind::pool;
  for (RecordedCall& call : a.recording.calls) {
    if (call.kind == CallKind::allocate) call.kind = CallKind::allocate_async;
    if (call.kind == CallKind::free) call.kind = CallKind::free_async;
  }
  BOOST_TEST(why_not(predict(a), SimulatedWay::pool) == "the iteration calls no cudaMalloc");
}

BOOST_AUTO_TEST_SUITE_END()
