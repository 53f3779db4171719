// When a tracer records anything, and when it hands records over.
#include <boost/test/unit_test.hpp>

#include "common/base/text/exit_code.hpp"
#include "tests/device/simulator/timing/tracer_kit.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;

BOOST_FIXTURE_TEST_SUITE(tracer_life, Fresh)

BOOST_AUTO_TEST_CASE(what_was_handed_over_is_forgotten) {
  const Traced traced;
  traced.clear();
  const TraceRecords first = traced.wait_and_take(), second = traced.tracer->take();
  BOOST_TEST(first.operations.size() == 1u);
  BOOST_TEST(second.calls.empty());
  BOOST_TEST(second.operations.empty());
}

BOOST_AUTO_TEST_CASE(what_is_under_way_comes_when_it_is_finished) {
  const Traced traced;
  traced.clear();
  const TraceRecords early = traced.tracer->take();
  BOOST_TEST(early.operations.empty());
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST_REQUIRE(records.operations.size() == 1u);
  BOOST_TEST(records.operations[0].call == early.calls[0].id);
}

BOOST_AUTO_TEST_CASE(a_new_tracer_sees_nothing_of_what_came_before_it) {
  Traced traced;
  traced.clear();
  traced.tracer.reset();
  traced.clear();
  traced.tracer = start_tracing();
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST(records.operations.empty());
  BOOST_TEST(names_of(records.calls) == "cudaStreamSynchronize");
}

BOOST_AUTO_TEST_CASE(one_lives_at_a_time) {
  Traced traced;
  BOOST_CHECK_THROW(start_tracing(), NotPossible);
  traced.clear();  // the refused one has left no trace
  BOOST_TEST(names_of(traced.wait_and_take().operations) == "memset");
  traced.tracer.reset();
  BOOST_CHECK_NO_THROW(start_tracing());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_started_over_is_not_traced) {
  auto tracer = start_tracing();
  start();
  const auto next = start_tracing();
  make_stream();
  BOOST_TEST(tracer->take().calls.empty());
  tracer.reset();  // the next one keeps working
  check(cudaDeviceSynchronize());
  BOOST_TEST(names_of(next->take().calls) ==
             "cudaStreamCreateWithFlags, cudaStreamDestroy, cudaDeviceSynchronize");
}

BOOST_AUTO_TEST_SUITE_END()
