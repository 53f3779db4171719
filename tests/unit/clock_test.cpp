#include "common/harness/clock.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

BOOST_AUTO_TEST_SUITE(host_clock)

BOOST_AUTO_TEST_CASE(counts_microseconds) {
  using namespace std::chrono;
  const auto outer = steady_clock::now();
  const double begin = trilane::now_us();
  std::this_thread::sleep_for(milliseconds(20));
  const double elapsed = trilane::now_us() - begin;
  const double bound = duration<double, std::micro>(steady_clock::now() - outer).count();
  BOOST_TEST(elapsed >= 20000.0);
  BOOST_TEST(elapsed <= bound + 1);
}

BOOST_AUTO_TEST_CASE(never_goes_back) {
  double last = trilane::now_us();
  for (int i = 0; i < 10000; ++i) {
    const double now = trilane::now_us();
    BOOST_REQUIRE(now >= last);
    last = now;
  }
}

BOOST_AUTO_TEST_SUITE_END()
