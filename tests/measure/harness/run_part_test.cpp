// The parts that processes measure of a run.
#include "common/measure/harness/compare_variants.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(parts_of_a_run)

BOOST_AUTO_TEST_CASE(the_limit_is_measured_once) {
  BOOST_TEST(part_of_run(0, 1).limit);
  BOOST_TEST(part_of_run(0, 5).limit);
  BOOST_TEST(!part_of_run(1, 5).limit);
  BOOST_TEST(!part_of_run(4, 5).limit);
}

BOOST_AUTO_TEST_CASE(set_ups_of_one_or_five_processes_are_enough_for_an_interval) {
  BOOST_TEST(part_of_run(0, 1).fewest_prices >= 6u);
  std::uint32_t of_five = 0;
  for (std::uint32_t process = 0; process < 5; ++process) {
    of_five += part_of_run(process, 5).fewest_prices;
  }
  BOOST_TEST(of_five >= 6u);
}

BOOST_AUTO_TEST_SUITE_END()
