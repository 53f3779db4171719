#include "common/measure/harness/compare_variants.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(parts_of_a_run)

BOOST_AUTO_TEST_CASE(a_process_is_all_of_a_run_or_one_of_several) {
  BOOST_TEST((part_of_run(0, 1) == RunPart::whole));
  BOOST_TEST((part_of_run(0, 5) == RunPart::first));
  BOOST_TEST((part_of_run(1, 5) == RunPart::further));
  BOOST_TEST((part_of_run(4, 5) == RunPart::further));
}

BOOST_AUTO_TEST_CASE(the_limit_is_measured_once) {
  BOOST_TEST(measures_limit(RunPart::whole));
  BOOST_TEST(measures_limit(RunPart::first));
  BOOST_TEST(!measures_limit(RunPart::further));
}

BOOST_AUTO_TEST_CASE(set_ups_of_five_processes_are_enough_for_an_interval) {
  BOOST_TEST(fewest_prices(RunPart::whole) >= 6u);
  BOOST_TEST(fewest_prices(RunPart::first) + 4 * fewest_prices(RunPart::further) >= 6u);
}

BOOST_AUTO_TEST_SUITE_END()
