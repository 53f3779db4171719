#include <boost/test/unit_test.hpp>

#include "common/measure/loop/bench/device_clock.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loop_device_times)

BOOST_AUTO_TEST_CASE(the_narrowest_brackets_bound_the_offset) {
  ClockOffset offset;
  offset.add(100, 3, 110);    // 97 to 107
  offset.add(200, 99, 203);   // 101 to 104
  offset.add(300, 199, 330);  // 101 to 131
  BOOST_TEST(offset.us() == 102.5);
  BOOST_TEST(offset.error_us() == 1.5);
}

BOOST_AUTO_TEST_CASE(the_offset_drifts_along_a_line) {
  BOOST_TEST(offset_at(150, 100, 10, 200, 14) == 12);
  BOOST_TEST(offset_at(150, 100, 10, 100, 14) == 10);
}

BOOST_AUTO_TEST_SUITE_END()
