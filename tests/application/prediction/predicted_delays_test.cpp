// Delays in predictions: allocations with their recorded times, and streams that check only at
// intervals whether another engine is done.
#include "common/application/prediction/ways/ways.hpp"
#include "common/device/flavour/flavour.hpp"
#include "tests/application/prediction/plain_profile.hpp"

using namespace plain;

BOOST_AUTO_TEST_SUITE(recorded_allocations)

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

BOOST_AUTO_TEST_SUITE(streams_that_look)

using R = Recorded;

/// Copies in start 1 us after their call, kernels 2 us, copies out 3 us.
Profile looking() {
  Profile profile = plain::profile();
  profile.stream.start_us = {1, 0, 2, 3};
  profile.stream.look_us = 8;
  return profile;
}

double same_calls_us(Iteration a) { return us(predict(std::move(a)), SimulatedWay::same_calls); }

BOOST_AUTO_TEST_CASE(an_operation_starts_at_a_look_after_the_end_on_another_engine) {
  plain::start(looking());
  // The copy in ends at 11. The kernel checks at 2, 10 and 18, and ends at 48. The copy out checks
  // at 3, 11, and so on to 51.
  BOOST_TEST(same_calls_us(one_chunk()) == 71.0, near);
}

BOOST_AUTO_TEST_CASE(the_profiles_latency_counts_where_it_does_not_say_how_often) {
  Profile profile = looking();
  profile.stream.look_us.reset();
  plain::start(profile);
  BOOST_TEST(same_calls_us(one_chunk()) == 61.0, near);
}

BOOST_AUTO_TEST_CASE(nothing_is_looked_for_on_one_engine_or_after_its_end) {
  plain::start(looking());
  Iteration a;
  a.kernel_of(30, R::free_one, {});
  a.kernel_of(30, R::free_one, {});
  a.synchronize(R::free_one);
  BOOST_TEST(same_calls_us(a) == 62.0, near);
  Iteration late;  // the copy in ends at 11, before the kernel's call
  late.copy(R::free_one, R::pinned, R::device);
  late.kernel_of(30, R::free_one, {}).own_us = 20;
  late.synchronize(R::free_one);
  BOOST_TEST(same_calls_us(late) == 52.0, near);
}

BOOST_AUTO_TEST_CASE(an_engine_that_another_stream_asks_too_comes_back_at_once) {
  plain::start(looking());
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  a.kernel_of(30, R::free_one, {});
  a.kernel_of(5, R::free_two, {}).own_us = 0;
  a.synchronize();
  BOOST_TEST(same_calls_us(a) == 48.0, near);  // the other kernel is done before the copy
  a.recording.calls[2].device_us = 20;
  BOOST_TEST(same_calls_us(a) == 41.0, near);
}

BOOST_AUTO_TEST_CASE(a_node_looks_from_its_launch_on) {
  plain::start(looking());
  // The kernel checks at 0, 8 and 16, and ends at 46, the copy out at 0 and so on to 48.
  BOOST_TEST(us(predict(one_chunk()), SimulatedWay::graph) == 68.0, near);
}

BOOST_AUTO_TEST_CASE(short_times_may_be_off_by_a_look_each) {
  Profile profile = looking();
  profile.error.emplace();
  profile.error->same_operations = {.cases = 20, .factor = 1.1};
  plain::start(profile);
  BOOST_TEST(*predict(one_chunk()).error_factor == (1 + 8 / 71.0) * (1 + 8 / 68.0), near);
  Iteration alone;
  alone.kernel_of(30, R::free_one, {});
  alone.synchronize(R::free_one);
  BOOST_TEST(*predict(alone).error_factor == 1.1, near);
}

BOOST_AUTO_TEST_SUITE_END()
