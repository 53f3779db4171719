#include "common/explain/statistics/series.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(slow_rounds_of_a_host)

BOOST_AUTO_TEST_CASE(slow_is_what_takes_longer_than_the_fastest_tenth) {
  const std::vector<double> host_us{100, 100, 100, 104, 104, 104, 106, 106, 106};
  std::vector<bool> wanted(host_us.size());
  std::fill(wanted.begin() + 6, wanted.end(), true);
  BOOST_TEST((slow_rounds(host_us) == wanted));
}

BOOST_AUTO_TEST_CASE(a_round_counts_by_the_median_over_its_neighbours) {
  std::vector<double> host_us(12, 8);
  host_us[4] = host_us[5] = 20;
  BOOST_TEST((slow_rounds(host_us) == std::vector<bool>(12)));  // two interrupted turns
  host_us[6] = 20;
  const auto spell = slow_rounds(host_us);
  BOOST_TEST((spell[4] && spell[5] && spell[6]));
  BOOST_TEST(!(spell[3] || spell[7]));
}

BOOST_AUTO_TEST_CASE(the_fast_ones_may_be_few_but_not_fewer_than_a_tenth) {
  std::vector<double> mostly_slow(30, 10);
  std::fill(mostly_slow.begin(), mostly_slow.begin() + 3, 8);
  BOOST_TEST(!slow_rounds(mostly_slow)[20]);  // three of thirty end where the fastest tenth does
  mostly_slow[3] = 8;
  const auto now = slow_rounds(mostly_slow);
  BOOST_TEST(now[20]);
  BOOST_TEST(!now[1]);
}

BOOST_AUTO_TEST_CASE(without_a_measured_host_nothing_is_slow) {
  BOOST_TEST(slow_rounds({}).empty());
  BOOST_TEST((slow_rounds(std::vector<double>(3)) == std::vector<bool>(3)));
}

BOOST_AUTO_TEST_SUITE_END()
