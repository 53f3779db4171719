// Checks that calls are those of a known iteration.
#include "common/application/finding/core/call_fingerprint.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(same_calls)

namespace {

std::vector<ObservedCall> known() {
  return {
      {.kind = CallKind::copy, .function = 1, .stream = 1, .destination = 100, .bytes = 4},
      {.kind = CallKind::record_event, .function = 2, .stream = 1, .event = 7},
      {.kind = CallKind::wait_event, .function = 3, .stream = 2, .event = 7},
      {.kind = CallKind::kernel, .function = 4, .stream = 2, .launch = {.function = 10}},
  };
}

/// Returns how many calls from the beginning on are the same.
std::size_t same(const std::vector<ObservedCall>& calls) {
  SameCalls check(known());
  std::size_t count = 0;
  while (count < calls.size() && check.next(calls[count])) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(addresses_and_events_may_be_others) {
  std::vector<ObservedCall> calls = known();
  calls[0].destination = 200;
  calls[1].event = calls[2].event = 8;
  BOOST_TEST(same(calls) == 4u);
  calls.push_back(calls.back());
  BOOST_TEST(same(calls) == 4u);
}

BOOST_AUTO_TEST_CASE(functions_streams_kernels_and_the_order_of_events_may_not) {
  std::vector<ObservedCall> calls = known();
  calls[3].launch.grid[0] = 2;
  BOOST_TEST(same(calls) == 3u);
  calls[3].launch = {.function = 11};
  BOOST_TEST(same(calls) == 3u);
  calls[2].event = 8;
  BOOST_TEST(same(calls) == 2u);
  calls[1].stream = 2;
  BOOST_TEST(same(calls) == 1u);
  calls[0].function = 5;
  BOOST_TEST(same(calls) == 0u);
}

BOOST_AUTO_TEST_CASE(the_function_that_comes_next_is_known) {
  SameCalls check(known());
  for (const std::uint32_t function : {1, 2, 3, 4}) {
    BOOST_TEST(check.expected_function() == function);
    check.next(known()[function - 1]);
  }
  BOOST_TEST(check.expected_function() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
