#include "common/analysis/statistics/slow_rounds.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace trilane;

namespace {

std::vector<bool> slow(const std::vector<double>& host_us) { return slow_rounds(host_us); }

}  // namespace

BOOST_AUTO_TEST_SUITE(slow_rounds_of_a_host)

BOOST_AUTO_TEST_CASE(slow_is_what_takes_a_tenth_longer_than_the_fastest_tenth) {
  BOOST_TEST((slow({8, 8.7, 8.9, 8.1}) == std::vector{false, false, true, false}));
}

BOOST_AUTO_TEST_CASE(the_fast_ones_may_be_few_but_not_fewer_than_a_tenth) {
  std::vector<double> mostly_slow(20, 10);
  mostly_slow[3] = 8;
  mostly_slow[7] = 8;
  BOOST_TEST(!slow(mostly_slow)[0]);  // two of twenty end where the fastest tenth does
  mostly_slow[9] = 8;
  const auto now = slow(mostly_slow);
  BOOST_TEST(now[0]);
  BOOST_TEST(!now[9]);
}

BOOST_AUTO_TEST_CASE(without_a_measured_host_nothing_is_slow) {
  BOOST_TEST(slow({}).empty());
  BOOST_TEST((slow({0, 0, 0}) == std::vector<bool>(3)));
}

BOOST_AUTO_TEST_SUITE_END()
