// The interface between flavours, as a program for a GPU has it. The simulated device's has its own
// tests.
#include "common/device/flavour/flavour.hpp"

#include "tests/framework.hpp"

namespace {

boost::test_tools::assertion_result for_a_gpu(boost::unit_test::test_unit_id) {
  return simulated_profile().empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flavour, *boost::unit_test::precondition(for_a_gpu))

BOOST_AUTO_TEST_CASE(the_clock_counts_microseconds) {
  using namespace std::chrono;
  const auto outer = steady_clock::now();
  const double begin = now_us();
  std::this_thread::sleep_for(milliseconds(20));
  const double elapsed = now_us() - begin;
  const double bound = duration<double, std::micro>(steady_clock::now() - outer).count();
  BOOST_TEST(elapsed >= 20000.0);
  BOOST_TEST(elapsed <= bound + 1);
}

BOOST_AUTO_TEST_CASE(the_clock_never_goes_back) {
  double last = now_us();
  for (int i = 0; i < 10000; ++i) {
    const double now = now_us();
    BOOST_REQUIRE(now >= last);
    last = now;
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_simulated) {
  start_simulation({.profile = "no such file", .fault = "1=2"});
  const TimedOnly timed_only;
  BOOST_TEST(simulated_profile() == "");
  BOOST_TEST(take_hazards().empty());
  BOOST_CHECK_THROW(declare_kernel({.name = "blur", .accesses = {}}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
