// Criteria for modes in a series of times.
#include "common/explain/statistics/series.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/explain/statistics/statistics.hpp"
#include "tests/explain/statistics/noise.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(modes)

namespace {

/// Adds `count` values around a mean, in an order that mixes both sides.
void add(std::vector<double>& values, std::size_t count, double mean, double spread, Draw& draw) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto place =
        static_cast<std::size_t>(draw.uniform() * static_cast<double>(values.size()));
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(place),
                  mean + spread * draw.normal());
  }
}

std::size_t count_of(const std::vector<double>& values) { return modes_of(values).size(); }

}  // namespace

BOOST_AUTO_TEST_CASE(two_modes_have_their_means_and_shares) {
  Draw draw(1);
  std::vector<double> values;
  add(values, 60, 18, 0.3, draw);
  add(values, 40, 25.5, 0.5, draw);
  const std::vector<TimeMode> found = modes_of(values);
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].mean == 18, boost::test_tools::tolerance(0.01));
  BOOST_TEST(found[1].mean == 25.5, boost::test_tools::tolerance(0.01));
  BOOST_TEST(found[0].share == 0.6);
  BOOST_TEST(found[1].share == 0.4);
  const double all = found[0].mean * found[0].share + found[1].mean * found[1].share;
  BOOST_TEST(all == mean(values), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(three_modes_are_found) {
  Draw draw(2);
  std::vector<double> values;
  add(values, 30, 12, 0.1, draw);
  add(values, 30, 18, 0.1, draw);
  add(values, 30, 40, 0.1, draw);
  BOOST_TEST(count_of(values) == 3u);
  for (double& value : values) value = 50 - value;  // the wide gap at the other end
  BOOST_TEST(count_of(values) == 3u);
}

BOOST_AUTO_TEST_CASE(one_value_and_equal_values_are_one_mode) {
  BOOST_TEST(count_of({7.0}) == 1u);
  BOOST_TEST(count_of(std::vector<double>(50, 3.0)) == 1u);
  BOOST_TEST(count_of(std::vector<double>(50, 0.0)) == 1u);
  BOOST_TEST(modes_of(std::vector<double>{7}).front().mean == 7);
  BOOST_TEST(modes_of(std::vector<double>{7}).front().share == 1);
}

BOOST_AUTO_TEST_CASE(spread_and_tails_are_no_modes) {
  int cut = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draw draw(seed);
    std::vector<double> normal, uniform, exponential;
    for (int i = 0; i < 60; ++i) {
      normal.push_back(100 + 20 * draw.normal());
      uniform.push_back(50 + 100 * draw.uniform());
      exponential.push_back(100 + draw.exponential(50));
    }
    for (const auto* values : {&normal, &uniform, &exponential}) cut += count_of(*values) > 1;
  }
  BOOST_TEST(cut <= 3);  // of 600
}

BOOST_AUTO_TEST_CASE(a_mode_holds_a_tenth_of_all_and_five_values) {
  const auto of = [](std::size_t low, std::size_t high) {
    std::vector<double> values(low, 10.0);
    values.insert(values.end(), high, 20.0);
    return count_of(values);
  };
  BOOST_TEST(of(90, 10) == 2u);
  BOOST_TEST(of(91, 9) == 1u);
  BOOST_TEST(of(10, 90) == 2u);
  BOOST_TEST(of(9, 91) == 1u);
  BOOST_TEST(of(15, 5) == 2u);
  BOOST_TEST(of(16, 4) == 1u);
  BOOST_TEST(of(14, 5) == 1u);  // fewer than 20 in all
}

BOOST_AUTO_TEST_CASE(modes_are_a_tenth_of_the_median_apart) {
  const auto of = [](double high) {
    std::vector<double> values(51, 100.0);
    values.insert(values.end(), 49, high);
    return count_of(values);
  };
  BOOST_TEST(of(110.1) == 2u);
  BOOST_TEST(of(109.9) == 1u);
}

/// The lower values are evenly spread, so their quartiles are half of the width apart.
BOOST_AUTO_TEST_CASE(modes_are_three_spreads_apart) {
  const auto of = [](double width) {
    std::vector<double> values;
    for (int i = 0; i <= 40; ++i) {
      values.push_back(100 + width * i / 40);
      values.push_back(140);
    }
    return count_of(values);
  };
  BOOST_TEST(of(19) == 2u);  // 21.95 apart, a spread of 7.04
  BOOST_TEST(of(20) == 1u);  // 21.0 apart, a spread of 7.41
}

BOOST_AUTO_TEST_CASE(stragglers_between_two_modes_do_not_hide_them) {
  Draw draw(3);
  std::vector<double> values;
  add(values, 600, 18, 0.5, draw);
  add(values, 400, 25.5, 0.7, draw);
  for (int i = 0; i < 30; ++i) values.push_back(15 + 25 * draw.uniform());
  BOOST_TEST(count_of(values) == 2u);
}

BOOST_AUTO_TEST_CASE(modes_in_words) {
  const std::vector<TimeMode> two{{18, 0.6}, {25.5, 0.4}}, one{{31.84, 1}};
  BOOST_TEST(in_words(two, "passes") == "18.0 us or 25.5 us, in 60% and 40% of the passes");
  BOOST_TEST(in_words(one, "passes") == "31.8 us");
  const std::vector<TimeMode> three{{1, 0.25}, {2, 0.25}, {3, 0.5}};
  BOOST_TEST(in_words(three, "iterations") ==
             "1.00 us, 2.00 us or 3.00 us, in 25%, 25% and 50% of the iterations");
}

BOOST_AUTO_TEST_CASE(values_that_are_no_times_are_refused) {
  BOOST_CHECK_THROW(modes_of(std::vector<double>()), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
