// Intervals of a ratio, from a series of rounds and from independent draws, and of a share.
#include "common/explain/statistics/interval.hpp"

#include "tests/explain/statistics/noise.hpp"

BOOST_AUTO_TEST_SUITE(interval)

std::vector<double> normals(std::size_t count, double spread, std::uint64_t seed = 1) {
  Draw draw(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(spread * draw.normal());
  return values;
}

double log_width(const Ratio& ratio) { return std::log(ratio.high / ratio.low) / 2; }

BOOST_AUTO_TEST_CASE(of_draws_is_students) {
  // Mean 0.02, standard deviation 0.02, standard error 0.01; t is 3.18245 for 3 degrees of freedom.
  const double step = 0.02 * std::sqrt(3.0) / 2;
  const Ratio ratio = interval_of(
      mean_of_draws(std::vector<double>{0.02 - step, 0.02 + step, 0.02 - step, 0.02 + step}));
  BOOST_TEST(std::abs(std::log(ratio.estimate) - 0.02) < 1e-12);
  BOOST_TEST(std::abs(std::log(ratio.low) - (0.02 - 0.0318245)) < 1e-6);
  BOOST_TEST(std::abs(std::log(ratio.high) - (0.02 + 0.0318245)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(of_the_middle_half_is_yuens) {
  const LogMean found = middle_mean_of_draws(std::vector<double>{3, 100, 1, 4, 2, 5, 0});
  BOOST_TEST(found.mean == 3);
  // 1, 1, 2, 3, 4, 5, 5 have the variance 3; 5 of the 7 values are left: 3 * 6 / (5 * 4).
  BOOST_TEST(found.variance == 0.9, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.freedom == 4);
  const std::vector<double> five{1, 2, 3, 4, 100};
  BOOST_TEST(middle_mean_of_draws(five).variance == mean_of_draws(five).variance,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(middle_mean_of_draws(five).freedom == 4);
}

BOOST_AUTO_TEST_CASE(of_equal_values_has_no_width) {
  const std::vector<double> same(20, std::log(0.5));
  for (const Ratio& ratio : {interval_of(mean_of_series(same)), interval_of(mean_of_draws(same))}) {
    BOOST_TEST(std::abs(ratio.estimate - 0.5) < 1e-12);
    BOOST_TEST(std::abs(ratio.low - 0.5) < 1e-9);
    BOOST_TEST(std::abs(ratio.high - 0.5) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(of_too_few_values_is_refused) {
  BOOST_CHECK_THROW(interval_of(mean_of_series(std::vector<double>{1, 2})), std::invalid_argument);
  BOOST_CHECK_THROW(interval_of(mean_of_draws(std::vector<double>{1})), std::invalid_argument);
  BOOST_CHECK_THROW(middle_mean_of_draws(std::vector<double>{1}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_factor_moves_the_interval_and_keeps_its_width) {
  const auto values = normals(30, 0.01);
  auto moved = values;
  for (double& value : moved) value += std::log(2.0);
  const Ratio ratio = interval_of(mean_of_series(values)),
              twice = interval_of(mean_of_series(moved));
  BOOST_TEST(std::abs(twice.estimate / ratio.estimate - 2) < 1e-9);
  BOOST_TEST(std::abs(twice.low / ratio.low - 2) < 1e-9);
  BOOST_TEST(std::abs(twice.high / ratio.high - 2) < 1e-9);
}

BOOST_AUTO_TEST_CASE(resemblance_of_neighbours_widens_it) {
  // Every value four times in a row: a quarter of the information, so about twice as wide.
  double independent = 0, repeated = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    independent += log_width(interval_of(mean_of_series(normals(80, 0.01, seed))));
    auto values = normals(80, 0.01, seed + 1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i - i % 4];
    repeated += log_width(interval_of(mean_of_series(values)));
  }
  BOOST_TEST(repeated / independent > 1.7);
  BOOST_TEST(repeated / independent < 2.3);
}

BOOST_AUTO_TEST_CASE(one_round_cannot_carry_the_result_away) {
  auto values = normals(20, 0.01);
  const Ratio before = interval_of(mean_of_series(values));
  values[7] = 5;  // 150 times as long
  const Ratio after = interval_of(mean_of_series(values));
  BOOST_TEST(std::abs(std::log(after.estimate / before.estimate)) < 0.005);
  BOOST_TEST(log_width(after) < 3 * log_width(before));
}

BOOST_AUTO_TEST_CASE(the_width_to_expect_is_that_of_independent_rounds) {
  double expected = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto values = normals(40, 0.02, seed);
    expected += expected_half_width_of_series(values);
    found += log_width(interval_of(mean_of_series(values)));
  }
  BOOST_TEST(std::abs(found / expected - 1) < 0.08);
}

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
