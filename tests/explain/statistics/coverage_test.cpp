// Counts of successes against a probability.
#include "common/explain/statistics/interval.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <stdexcept>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(coverage)

BOOST_AUTO_TEST_CASE(clopper_pearson_is_exact) {
  // With no success in n trials the upper end u solves (1 - u)^n = 0.025.
  const Share none = clopper_pearson(0, 10), all = clopper_pearson(10, 10);
  BOOST_TEST(none.low == 0);
  BOOST_TEST(std::abs(none.high - (1 - std::pow(0.025, 0.1))) < 1e-9);
  BOOST_TEST(std::abs(all.low - std::pow(0.025, 0.1)) < 1e-9);
  BOOST_TEST(all.high == 1);
  // Tabulated: 7 of 20 is 15.39% to 59.22%.
  const Share some = clopper_pearson(7, 20);
  BOOST_TEST(std::abs(some.low - 0.1539) < 5e-5);
  BOOST_TEST(std::abs(some.high - 0.5922) < 5e-5);
}

BOOST_AUTO_TEST_CASE(the_binomial_test_sums_what_is_no_likelier) {
  // With 5 fair coins, 0 and 5 heads are 1 in 32 each, 1 and 4 are 5 in 32.
  BOOST_TEST(std::abs(binomial_test(0, 5, 0.5) - 2.0 / 32) < 1e-12);
  BOOST_TEST(std::abs(binomial_test(4, 5, 0.5) - 12.0 / 32) < 1e-12);
  BOOST_TEST(binomial_test(2, 5, 0.5) == 1);
  // Not symmetric: of 2 trials at 0.9, none is 0.01, one 0.18.
  BOOST_TEST(std::abs(binomial_test(1, 2, 0.9) - 0.19) < 1e-12);
  BOOST_TEST(std::abs(binomial_test(0, 2, 0.9) - 0.01) < 1e-12);
}

BOOST_AUTO_TEST_CASE(the_test_rejects_what_it_should) {
  BOOST_TEST(binomial_test(1900, 2000, 0.95) > 0.9);
  BOOST_TEST(binomial_test(1874, 2000, 0.95) > 0.005);
  BOOST_TEST(binomial_test(1860, 2000, 0.95) < 0.01);
  BOOST_TEST(binomial_test(1935, 2000, 0.95) < 0.01);
}

BOOST_AUTO_TEST_CASE(no_trials_say_nothing) {
  BOOST_CHECK_THROW(clopper_pearson(0, 0), std::invalid_argument);
  BOOST_CHECK_THROW(clopper_pearson(3, 2), std::invalid_argument);
  BOOST_CHECK_THROW(binomial_test(3, 2, 0.5), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
