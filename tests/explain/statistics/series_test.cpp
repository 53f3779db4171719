// Series of times: their modes, their drift, and the rounds of a slow host.
#include "common/explain/statistics/series.hpp"

#include "common/explain/statistics/statistics.hpp"
#include "tests/explain/statistics/noise.hpp"

BOOST_AUTO_TEST_SUITE(modes)

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

/// Returns `count` values around 100 with that spread, which move by `move` from the first to the
/// last.
std::vector<double> moving(std::size_t count, double move, double spread, Draw& draw) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double gone = static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(100 + move * gone + spread * draw.normal());
  }
  return values;
}

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

BOOST_AUTO_TEST_CASE(a_drift_goes_from_the_first_third_to_the_last) {
  Draw draw(1);
  const auto up = drift_of(moving(30, 29, 0, draw));
  BOOST_TEST_REQUIRE(up.has_value());
  BOOST_TEST(up->from == 104.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(up->to == 124.5, boost::test_tools::tolerance(1e-12));
  const auto down = drift_of(moving(30, -29, 1, draw));
  BOOST_TEST_REQUIRE(down.has_value());
  BOOST_TEST(down->from > down->to);
  BOOST_TEST(in_words(Drift{382.4, 442}) == "from 382 to 442 us");
}

BOOST_AUTO_TEST_CASE(a_bump_a_small_move_and_a_short_series_are_none) {
  Draw draw(2);
  std::vector<double> bump(30, 100);
  std::fill(bump.begin() + 10, bump.begin() + 20, 150);
  std::fill(bump.begin() + 20, bump.end(), 110);
  BOOST_TEST(!drift_of(bump));
  BOOST_TEST(!drift_of(moving(30, 4, 0.1, draw)));
  BOOST_TEST(drift_of(moving(30, 6, 0.1, draw)).has_value());
  BOOST_TEST(!drift_of(moving(17, 50, 0, draw)));
  BOOST_TEST(drift_of(moving(18, 50, 0, draw)).has_value());
}

BOOST_AUTO_TEST_CASE(noise_alone_hardly_ever_drifts) {
  Draw draw(3);
  constexpr int series = 2000;
  for (const std::size_t count : {18u, 21u, 60u}) {
    int found = 0;
    for (int i = 0; i < series; ++i) found += drift_of(moving(count, 0, 10, draw)).has_value();
    BOOST_TEST_CONTEXT(count << " values: " << found) { BOOST_TEST(found < 0.01 * series); }
  }
}

BOOST_AUTO_TEST_SUITE_END()

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
