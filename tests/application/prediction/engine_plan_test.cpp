// Operations that keep their order when each engine has its own stream.
#include "common/application/prediction/ways/ways.hpp"

#include "tests/application/prediction/plain_profile.hpp"

using plain::Iteration;

BOOST_AUTO_TEST_SUITE(engine_plans)

using Calls = std::vector<std::uint32_t>;
using R = Recorded;

constexpr std::uint32_t in = 0, out = 1, compute = 2;

/// Returns what the call follows, besides its own engine's operations.
Calls after(const ApplicationRecording& recording, std::uint32_t call) {
  for (const EngineStep& step : engine_plan(recording)) {
    if (step.operation && step.call == call) return step.after_calls;
  }
  return {99};
}

EngineStep last(const ApplicationRecording& recording) { return engine_plan(recording).back(); }

BOOST_AUTO_TEST_CASE(each_stage_of_a_chunk_follows_the_one_before) {
  Iteration a;
  a.chunk(1, R::free_one, 0);
  a.synchronize();
  const std::vector<EngineStep> plan = engine_plan(a.recording);
  BOOST_TEST(plan.size() == 4u);
  BOOST_TEST(plan[0].engine == in);
  BOOST_TEST(plan[1].engine == compute);
  BOOST_TEST(plan[2].engine == out);
  BOOST_TEST(after(a.recording, 0) == Calls{});
  BOOST_TEST(after(a.recording, 1) == Calls{0});
  BOOST_TEST(after(a.recording, 2) == Calls{1});
  BOOST_TEST((plan[0].needed && plan[1].needed && !plan[2].needed));
}

BOOST_AUTO_TEST_CASE(chunks_with_bytes_of_their_own_do_not_wait_for_each_other) {
  Iteration a;
  a.chunk(1, R::free_one, 0);
  a.chunk(1, R::free_one, R::size);
  a.synchronize();
  BOOST_TEST(after(a.recording, 3) == Calls{});
  BOOST_TEST(after(a.recording, 4) == Calls{3});
  BOOST_TEST(after(a.recording, 5) == Calls{4});
}

BOOST_AUTO_TEST_CASE(chunks_that_share_bytes_take_turns) {
  Iteration a;
  a.chunk(1, R::free_one, 0);
  a.chunk(1, R::free_one, 0);
  a.synchronize();
  BOOST_TEST(after(a.recording, 3) == Calls{2});  // which follows the kernel
}

BOOST_AUTO_TEST_CASE(two_that_only_read_do_not_wait) {
  Iteration a;
  a.copy(R::free_one, R::device, R::pinned);
  a.copy(R::free_one, R::device, R::other_device);
  BOOST_TEST(after(a.recording, 1) == Calls{});
  a.memset(R::free_one, R::device);
  BOOST_TEST(after(a.recording, 2) == Calls{0});
}

BOOST_AUTO_TEST_CASE(what_another_wait_implies_is_left_out) {
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  a.kernel_of(1, R::free_one, {{R::device, 0, R::size, Use::may_use}});
  a.copy(R::free_one, R::device, R::pinned, 0);  // reads what both wrote
  a.synchronize();
  BOOST_TEST(after(a.recording, 2) == Calls{1});
}

BOOST_AUTO_TEST_CASE(without_a_wait_an_iteration_keeps_the_order_with_the_one_before) {
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  a.kernel_of(1, R::free_one, {{R::device, 0, R::size, Use::may_use}});
  BOOST_TEST(after(a.recording, 0) == Calls{1});
  a.synchronize();
  BOOST_TEST(after(a.recording, 0) == Calls{});
}

BOOST_AUTO_TEST_CASE(a_kernel_whose_memory_is_not_known_keeps_its_place) {
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  a.kernel_of(1, R::free_one, {});
  a.copy(R::free_one, R::other_device, R::pinned, 8192);
  a.synchronize();
  BOOST_TEST(after(a.recording, 1) == Calls{0});
  BOOST_TEST(after(a.recording, 2) == Calls{1});
}

BOOST_AUTO_TEST_CASE(a_wait_joins_what_the_latest_operation_does_not_imply) {
  Iteration a;
  a.chunk(1, R::free_one, 0);
  a.synchronize();
  BOOST_TEST(last(a.recording).engine == out);
  BOOST_TEST(last(a.recording).join == Calls{});
  Iteration apart;
  apart.copy(R::free_one, R::pinned, R::device);
  apart.copy(R::free_one, R::other_device, R::pinned, 8192);
  apart.memset(R::free_one, R::device, 8192);
  apart.synchronize();
  BOOST_TEST(last(apart.recording).engine == compute);
  BOOST_TEST((last(apart.recording).join == Calls{in, out}));
}

BOOST_AUTO_TEST_CASE(what_the_host_waited_for_orders_nothing_any_more) {
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  a.synchronize();
  a.kernel_of(1, R::free_one, {{R::device, 0, R::size, Use::may_use}});
  a.synchronize();
  BOOST_TEST(after(a.recording, 2) == Calls{});
  BOOST_TEST(last(a.recording).join == Calls{});
}

BOOST_AUTO_TEST_SUITE_END()
