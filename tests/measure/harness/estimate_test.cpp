// The announcement of long work.
#include "common/measure/gpu/host_buffer.hpp"
#include "common/measure/rounds/harness.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(estimate)

BOOST_AUTO_TEST_CASE(only_long_phases_name_their_time) {
  BOOST_TEST(announced("checking", 0) == "checking");
  BOOST_TEST(announced("checking", 10) == "checking");
  BOOST_TEST(announced("checking", 10.1) == "checking, which takes about 10 s");
  BOOST_TEST(announced("filling 48 GiB of host memory", 14.4) ==
             "filling 48 GiB of host memory, which takes about 14 s");
  BOOST_TEST(announced("checking", NAN) == "checking");
}

BOOST_AUTO_TEST_CASE(host_memory_is_estimated_from_what_this_host_does_now) {
  BOOST_TEST(host_memory_seconds(1 << 20) == 0);
  const double seconds = host_memory_seconds(std::uint64_t{1} << 50);
  BOOST_TEST(std::isfinite(seconds));
  BOOST_TEST(seconds > 10);  // a PiB; memory faster than 200 TB/s does not exist
}

BOOST_AUTO_TEST_SUITE_END()
