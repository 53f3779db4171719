// Streams that check only at intervals whether another engine is done.
#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/device/flavour/flavour.hpp"
#include "tests/application/prediction/plain_profile.hpp"

using namespace trilane;
using namespace plain;

BOOST_AUTO_TEST_SUITE(streams_that_look)

namespace {

using R = Recorded;

/// Copies in start 1 us after their call, kernels 2 us, copies out 3 us.
Profile looking() {
  Profile profile = plain::profile();
  profile.stream.start_us = {1, 0, 2, 3};
  profile.stream.look_us = 8;
  return profile;
}

double same_calls_us(Iteration a) { return us(predict(std::move(a)), SimulatedWay::same_calls); }

}  // namespace

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

BOOST_AUTO_TEST_CASE(an_edge_of_a_graph_has_the_profiles_latency) {
  plain::start(looking());
  BOOST_TEST(us(predict(one_chunk()), SimulatedWay::graph) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(short_times_may_be_off_by_a_look_each) {
  Profile profile = looking();
  profile.error.emplace();
  profile.error->same_operations = {.cases = 20, .factor = 1.1};
  plain::start(profile);
  BOOST_TEST(*predict(one_chunk()).error_factor == (1 + 8 / 71.0) * (1 + 8 / 60.0), near);
  Iteration alone;
  alone.kernel_of(30, R::free_one, {});
  alone.synchronize(R::free_one);
  BOOST_TEST(*predict(alone).error_factor == 1.1, near);
}

BOOST_AUTO_TEST_CASE(only_predictions_of_recordings_look) {
  plain::start(looking());
  Iteration a = one_chunk();
  BOOST_TEST(same_calls_us(a) == 71.0, near);
  const TimedOnly timed;
  const auto pass = make_pass(SimulatedWay::same_calls, a.close());
  BOOST_TEST(timed_us([&] { pass(); }) == 61.0, near);
}

BOOST_AUTO_TEST_SUITE_END()
