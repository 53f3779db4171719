// Quantiles, paired ratios and what summarise() derives.
#include "common/explain/statistics/statistics.hpp"

#include "tests/explain/statistics/noise.hpp"

BOOST_AUTO_TEST_SUITE(statistics)

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

/// Returns one sample per wall time, all in the rounds 0, 1, 2...
std::vector<Sample> one_per_round(const std::vector<double>& walls) {
  std::vector<Sample> samples;
  for (const double wall : walls) {
    samples.push_back({wall / 4, wall / 2, wall, static_cast<std::uint32_t>(samples.size()), 0});
  }
  return samples;
}

Measurement measured(const std::string& name, const std::vector<double>& walls) {
  Measurement m;
  m.variant = name;
  m.status = Status::ok;
  m.samples = one_per_round(walls);
  return m;
}

BOOST_AUTO_TEST_CASE(quantiles_interpolate_between_order_statistics) {
  const std::vector<double> values{40, 10, 30, 20};
  BOOST_TEST(quantile(values, 0) == 10);
  BOOST_TEST(quantile(values, 0.25) == 17.5);
  BOOST_TEST(quantile(values, 0.5) == 25);
  BOOST_TEST(quantile(values, 1) == 40);
  BOOST_TEST(quantile(std::vector<double>{7}, 0.99) == 7);
}

BOOST_AUTO_TEST_CASE(quantiles_agree_with_the_definition) {
  Draw draw(3);
  for (std::size_t n = 1; n < 40; ++n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(std::floor(draw.uniform() * 10));
    auto sorted = values;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < n; ++i) {
      const double q = n == 1 ? 0 : static_cast<double>(i) / static_cast<double>(n - 1);
      BOOST_TEST(std::abs(quantile(values, q) - sorted[i]) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(quantiles_refuse_what_has_none) {
  BOOST_CHECK_THROW(quantile({}, 0.5), std::invalid_argument);
  for (const double bad : {not_a_number, infinite, -infinite}) {
    BOOST_CHECK_THROW(quantile(std::vector<double>{1, bad, 2}, 0.5), std::invalid_argument);
    BOOST_CHECK_THROW(quantile(std::vector<double>{1, 2}, bad), std::invalid_argument);
  }
  BOOST_CHECK_THROW(quantile(std::vector<double>{1}, 1.01), std::invalid_argument);
  BOOST_CHECK_THROW(quantile(std::vector<double>{1}, -0.01), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_summary_holds_five_numbers) {
  std::vector<double> values;
  for (int i = 100; i >= 0; --i) values.push_back(i);
  const Summary s = summary_of(values);
  BOOST_TEST(s.median == 50);
  BOOST_TEST(s.q1 == 25);
  BOOST_TEST(s.q3 == 75);
  BOOST_TEST(s.p99 == 99);
  BOOST_TEST(s.min == 0);
}

BOOST_AUTO_TEST_CASE(ratios_pair_the_means_of_common_rounds) {
  // Round 1: 30 over 10; round 2 only above; round 3 only below; round 5: 12 over 8.
  const std::vector<Sample> variant{
      {0, 0, 12, 5, 0}, {0, 0, 20, 1, 0}, {0, 0, 40, 1, 0}, {0, 0, 30, 1, 0}, {0, 0, 50, 2, 0}};
  const std::vector<Sample> reference{
      {0, 0, 9, 1, 0}, {0, 0, 11, 1, 0}, {0, 0, 4, 3, 0}, {0, 0, 8, 5, 0}};
  BOOST_TEST(round_ratios(variant, reference) == (std::vector<double>{3, 1.5}),
             boost::test_tools::per_element());
  BOOST_TEST(std::abs(variant_ratio(variant, reference)->estimate - 21.0 / 9) < 1e-12);
}

BOOST_AUTO_TEST_CASE(ratios_refuse_what_has_none) {
  const auto good = one_per_round({1, 2, 3, 4, 5, 6});
  BOOST_TEST(!variant_ratio({}, good).has_value());
  BOOST_TEST(!variant_ratio(good, {}).has_value());
  BOOST_CHECK_THROW(ratio_of({}), std::invalid_argument);
  auto later = good;
  for (Sample& sample : later) sample.round += 100;
  BOOST_TEST(!variant_ratio(later, good).has_value());
  for (const double bad : {not_a_number, infinite, 0.0, -1.0}) {
    auto wrong = good;
    wrong[3].wall_us = bad;
    BOOST_CHECK_THROW(variant_ratio(wrong, good), std::invalid_argument);
    BOOST_CHECK_THROW(variant_ratio(good, wrong), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(few_rounds_decide_nothing) {
  const std::vector<double> clear{0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  const Ratio five = ratio_of(std::span(clear).first(5)), six = ratio_of(clear);
  BOOST_TEST(five.estimate == 0.5);
  BOOST_TEST(five.tie());
  BOOST_TEST(!decides(five));
  BOOST_TEST(half_width(five) >= 1);
  BOOST_TEST(std::abs(ratio_of(std::vector<double>{8, 8}).high - 16) < 1e-12);
  BOOST_TEST(expected_half_width(std::span(clear).first(5)) == infinite);
  BOOST_TEST(expected_half_width(clear) < 1e-12);
  BOOST_TEST(!six.tie());
  BOOST_TEST(decides(six));
}

BOOST_AUTO_TEST_CASE(processes_are_independent_of_each_other) {
  // 50 over 10 in one process, 160 over 10 in the other: 105 over 10 on average.
  const std::vector<Sample> variant{
      {0, 0, 20, 0, 0, 0}, {0, 0, 80, 1, 0, 0}, {0, 0, 160, 0, 0, 1}, {0, 0, 5, 1, 0, 1}};
  const std::vector<Sample> reference{
      {0, 0, 10, 0, 0, 0}, {0, 0, 10, 1, 0, 0}, {0, 0, 10, 0, 0, 1}, {0, 0, 1, 7, 0, 1}};
  const auto ratio = variant_ratio(variant, reference);
  BOOST_REQUIRE(ratio.has_value());
  BOOST_TEST(std::abs(ratio->estimate - 10.5) < 1e-12);
  // Each process of the variant is 55 / 105 off, which is the standard error; another run has the
  // same, and t for one degree of freedom is 12.7.
  const double half = 12.7062 * std::sqrt(2) * 55 / 105;
  BOOST_TEST(std::abs(std::log(ratio->high / 10.5) - half) < 1e-3);
  BOOST_TEST(std::abs(std::log(10.5 / ratio->low) - half) < 1e-3);
  // Influences on both in a process do not cancel: 50 and 82.5 are 16.25 / 66.25 off on either
  // side, which makes 2 degrees of freedom.
  const auto itself = variant_ratio(variant, variant);
  BOOST_TEST(itself->estimate == 1);
  BOOST_TEST(std::abs(std::log(itself->high) - 4.3027 * 2 * 16.25 / 66.25) < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_middle_mean_leaves_a_quarter_out_at_each_end) {
  BOOST_TEST(middle_mean(std::vector<double>{7}) == 7);
  BOOST_TEST(middle_mean(std::vector<double>{9, 1, 2, 8}) == 5);
  BOOST_TEST(middle_mean(std::vector<double>{50, 1, 2, 4, 3}) == 12);
  BOOST_TEST(middle_mean(std::vector<double>{50, 1, 2, 4, 3, 0}) == 2.5);
  BOOST_TEST(middle_mean(std::vector<double>{50, 1, 2, 4, 3, 0, 6}) == 3.2);
  BOOST_TEST(middle_mean(std::vector<double>{50, 1, 2, 4, 3, 0, 6, 70}) == 3.75);
  BOOST_CHECK_THROW(middle_mean({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_process_that_was_disturbed_moves_nothing) {
  std::vector<Sample> slow, steady;
  for (std::uint32_t process = 0; process < 7; ++process) {
    const double us = 100 + process;
    steady.push_back({1, 2, us, 0, 0, process});
    slow.push_back({1, 2, process == 2 ? 3 * us : us, 0, 0, process});
  }
  const Ratio ratio = variant_ratio(slow, steady).value();
  BOOST_TEST(ratio.estimate == 103.8 / 103, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(half_width(ratio) < 0.06);
}

BOOST_AUTO_TEST_CASE(a_ratio_is_that_of_the_two_means_that_stand_beside_it) {
  Comparison comparison;
  comparison.reference = "a";
  comparison.measurements.resize(2);
  for (std::size_t v = 0; v < 2; ++v) {
    Measurement& m = comparison.measurements[v];
    m.variant = v == 0 ? "a" : "b";
    m.status = Status::ok;
    for (std::uint32_t i = 0; i < 24; ++i) {
      const double us = v == 0 ? 10.0 + i % 5 : (i % 3 == 0 ? 25.5 : 18);
      m.samples.push_back(
          {.submit_us = 1, .device_us = 2, .wall_us = us, .round = i / 2 % 4, .process = i / 8});
    }
  }
  comparison.measurements[1].samples[5].wall_us = 900;  // interrupted
  summarise(comparison);
  const Measurement &a = comparison.measurements[0], &b = comparison.measurements[1];
  BOOST_TEST(std::abs(b.ratio->estimate - b.wall->mean / a.wall->mean) < 1e-12);
  BOOST_TEST(b.wall->mean < 26);
}

BOOST_AUTO_TEST_CASE(each_process_has_a_mean_wall_time) {
  std::vector<Sample> samples;
  for (const auto& [process, wall_us] :
       {std::pair{4u, 30.0}, {1u, 5.0}, {4u, 10.0}, {1u, 6.0}, {4u, 20.0}}) {
    samples.push_back({.submit_us = 1, .device_us = 2, .wall_us = wall_us, .process = process});
  }
  BOOST_TEST((process_times(samples) == std::map<std::uint32_t, double>{{1, 5.5}, {4, 20}}));
  BOOST_TEST(process_times({}).empty());
}

BOOST_AUTO_TEST_CASE(an_interval_that_contains_one_is_a_tie) {
  BOOST_TEST((Ratio{1.01, 1, 1.02}.tie()));
  BOOST_TEST((Ratio{0.99, 0.98, 1}.tie()));
  BOOST_TEST((Ratio{not_a_number, not_a_number, not_a_number}.tie()));
  BOOST_TEST(!(Ratio{1.01, 1.001, 1.02}.tie()));
  BOOST_TEST(!(Ratio{0.99, 0.98, 0.999}.tie()));
}

BOOST_AUTO_TEST_CASE(the_half_width_is_relative_and_of_the_longer_side) {
  BOOST_TEST(std::abs(half_width({2, 1.9, 2.02}) - 0.05) < 1e-12);
  BOOST_TEST(std::abs(half_width({2, 1.98, 2.2}) - 0.1) < 1e-12);
  BOOST_TEST(half_width({0.5, 0.5, 0.5}) == 0);
  const Ratio broken[]{
      {not_a_number, 1, 1}, {1, not_a_number, 1}, {1, 1, not_a_number}, {1, 1, infinite}, {0, 0, 0},
      {-1, -1, -1},         {1, 1.5, 0.5}};
  for (const Ratio& ratio : broken) BOOST_TEST(half_width(ratio) == infinite);
}

BOOST_AUTO_TEST_CASE(summarise_derives_what_the_samples_say) {
  Comparison comparison;
  comparison.reference = "streams";
  comparison.measurements = {measured("graph", {40, 44, 48, 40, 44, 48, 44}),
                             measured("streams", {80, 88, 96, 80, 88, 96, 88}),
                             measured("pool", {1, 1}), measured("malloc", {})};
  comparison.measurements[2].status = Status::failed;
  comparison.measurements[2].wall = Summary{};
  comparison.measurements[2].ratio = Ratio{};
  summarise(comparison);
  const auto& ms = comparison.measurements;
  const Measurement &graph = ms[0], &streams = ms[1], &pool = ms[2], &malloc = ms[3];
  BOOST_REQUIRE((graph.wall && graph.submit && graph.device && graph.ratio));
  BOOST_TEST(graph.wall->median == 44);
  BOOST_TEST(graph.submit->median == 11);
  BOOST_TEST(graph.device->median == 22);
  BOOST_TEST(graph.ratio->estimate == 0.5);
  BOOST_TEST(!graph.ratio->tie());
  BOOST_TEST((streams.wall && !streams.ratio));
  BOOST_TEST((!pool.wall && !pool.ratio && !malloc.wall && !malloc.ratio));
  summarise(comparison);
  BOOST_TEST(graph.ratio->estimate == 0.5);
}

BOOST_AUTO_TEST_CASE(without_a_usable_reference_there_is_no_ratio) {
  Comparison comparison;
  comparison.measurements = {measured("graph", {4, 4}), measured("streams", {8, 8})};
  for (const char* reference : {"", "serial", "streams"}) {
    comparison.reference = reference;
    comparison.measurements[1].status = Status::failed;
    summarise(comparison);
    BOOST_TEST((comparison.measurements[0].wall && !comparison.measurements[0].ratio));
  }
  comparison.measurements[1].status = Status::ok;
  for (Sample& sample : comparison.measurements[1].samples) sample.round += 10;
  summarise(comparison);
  BOOST_TEST((comparison.measurements[1].wall && !comparison.measurements[0].ratio));
}

BOOST_AUTO_TEST_CASE(a_time_that_is_none_fails_its_variant) {
  for (double Sample::*const clock : {&Sample::submit_us, &Sample::device_us, &Sample::wall_us}) {
    for (const double bad : {not_a_number, infinite, -0.5}) {
      Comparison comparison;
      comparison.reference = "streams";
      comparison.measurements = {measured("graph", {4, 4}), measured("streams", {8, 8})};
      comparison.measurements[0].samples[1].*clock = bad;
      summarise(comparison);
      const Measurement& graph = comparison.measurements[0];
      BOOST_TEST((graph.status == Status::failed));
      BOOST_TEST(graph.message.find("sample 1") != std::string::npos);
      BOOST_TEST((!graph.wall && !graph.ratio && comparison.measurements[1].wall));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
