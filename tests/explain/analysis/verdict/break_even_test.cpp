// Break-even on fake prices and rounds with a known answer.
#include "common/explain/analysis/verdict/break_even.hpp"

#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(break_even)

const auto exactly = boost::test_tools::tolerance(1e-9);

/// Returns fifteen set-ups with a spread of one percent each way, and passes that are all alike
/// except the first.
Price priced(double setup_us, double first_us, double pass_us) {
  Price price;
  price.passes_us.resize(4);
  for (int i = 0; i < 15; ++i) {
    price.setup_us.push_back(setup_us * (1 + 0.01 * ((i * 4) % 15 - 7) / 7));
    price.passes_us[0].push_back(pass_us + first_us);
    for (std::size_t k = 1; k < 4; ++k) price.passes_us[k].push_back(pass_us);
    price.teardown_us.push_back(1e9);  // is not part of it
  }
  return price;
}

Measurement timed(const std::string& variant, double pass_us, const Price& price) {
  Measurement m = made_up(variant, pass_us / 2, pass_us);
  m.price = price;
  return m;
}

/// Returns the break-even of a variant over a reference with a set-up of 100 us and passes of 1000
/// us.
std::optional<BreakEven> found(const Measurement& variant) {
  Comparison comparison =
      made_up_comparison({timed("streams", 1000, priced(100, 0, 1000)), variant});
  find_break_even(comparison);
  BOOST_TEST(!comparison.measurements[0].break_even);
  return comparison.measurements[1].break_even;
}

BreakEven found(double setup_us, double first_us, double pass_us) {
  return found(timed("graph", pass_us, priced(setup_us, first_us, pass_us))).value();
}

BOOST_AUTO_TEST_CASE(the_part_behind_is_measured_between_passes_too) {
  const std::vector<double> crossing{30, 10, -10};
  BOOST_TEST(passes_behind(crossing, 20) == 1.5, exactly);
  BOOST_TEST(passes_behind(crossing, 0) == 1.5, exactly);
  BOOST_TEST(passes_behind(crossing, -1) == never);
  const std::vector<double> still{30, 20};
  BOOST_TEST(passes_behind(still, 10) == 3, exactly);
  BOOST_TEST(passes_behind(still, 0) == never);
  BOOST_TEST(passes_behind(still, -10) == never);
  const std::vector<double> ahead{-5, -10};
  BOOST_TEST(passes_behind(ahead, 5) == 0);
  const std::vector<double> twice{-10, 10, -10};  // behind from 0.5 to 1.5
  BOOST_TEST(passes_behind(twice, 20) == 1, exactly);
}

BOOST_AUTO_TEST_CASE(a_dearer_set_up_is_paid_for_by_faster_passes) {
  const BreakEven result = found(2100, 0, 990);
  BOOST_TEST((result.pays == Pays::later));
  BOOST_TEST(result.passes.value() == 200, boost::test_tools::tolerance(0.05));
  BOOST_TEST(result.low.value() <= *result.passes);
  BOOST_TEST(result.high.value() >= *result.passes);
}

BOOST_AUTO_TEST_CASE(with_many_passes_after_each_set_up_their_gain_counts) {
  // In the rounds a pass gains 10 us; after fresh set-ups it gains 5.
  Price price = priced(2100, 0, 995), theirs = priced(100, 0, 1000);
  price.passes_us.resize(16, price.passes_us.back());
  theirs.passes_us.resize(16, theirs.passes_us.back());
  Comparison comparison =
      made_up_comparison({timed("streams", 1000, theirs), timed("graph", 990, price)});
  find_break_even(comparison);
  const BreakEven result = comparison.measurements[1].break_even.value();
  BOOST_TEST(result.passes.value() == 400, boost::test_tools::tolerance(0.05));
  comparison.measurements[0].price->passes_us.resize(15);  // too few again
  find_break_even(comparison);
  BOOST_TEST(comparison.measurements[1].break_even->passes.value() == 200,
             boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(it_may_be_paid_for_within_the_first_passes) {
  const BreakEven result = found(1350, 0, 500);
  BOOST_TEST((result.pays == Pays::later));
  BOOST_TEST(result.passes.value() == 2.5, exactly);
}

BOOST_AUTO_TEST_CASE(the_first_pass_counts) {
  const BreakEven result = found(100, 2000, 500);
  BOOST_TEST((result.pays == Pays::later));
  // Behind after a little: up from 0 to 1500 in the first pass, then down by 500 a pass.
  BOOST_TEST(result.passes.value() == 4, exactly);
}

BOOST_AUTO_TEST_CASE(never_and_at_once_and_at_first_are_answers_too) {
  BreakEven result = found(500, 0, 1100);
  BOOST_TEST((result.pays == Pays::never));
  BOOST_TEST((!result.passes && !result.high));
  result = found(50, 0, 900);
  BOOST_TEST((result.pays == Pays::at_once));
  BOOST_TEST(result.passes.value() == 0);
  result = found(50, 0, 1010);
  BOOST_TEST((result.pays == Pays::at_first));
  BOOST_TEST(result.passes.value() == 5, boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(where_the_gain_is_not_sure_the_interval_ends_in_never) {
  const BreakEven result = found(500, 0, 999.5);  // the rounds are half a percent apart
  BOOST_TEST(result.low.has_value());
  BOOST_TEST(!result.high);
}

BOOST_AUTO_TEST_CASE(without_figures_there_is_none) {
  Measurement bare = made_up("graph", 100, 500);
  BOOST_TEST(!found(bare));
  BOOST_TEST(!found([] {
    Measurement m = made_up("graph", 100, 500, 3);  // rounds that decide nothing
    m.price = priced(1, 0, 500);
    return m;
  }()));
  Comparison comparison = made_up_comparison({timed("graph", 500, priced(1, 0, 500))}, "");
  comparison.measurements[0].break_even.emplace();
  find_break_even(comparison);
  BOOST_TEST(!comparison.measurements[0].break_even);
}

BOOST_AUTO_TEST_CASE(a_prediction_has_one_set_up_and_the_models_error) {
  Measurement graph = timed("graph", 500, priced(2100, 0, 500));
  graph.price->setup_us.resize(1);
  BOOST_TEST(!found(graph));  // a measured set-up alone has no spread
  graph.prediction = Prediction{.ratio_error = {}, .break_even_error = 2};
  BreakEven result = found(graph).value();
  BOOST_TEST((result.covers == Covers::model_error));
  BOOST_TEST(result.low.value() == *result.passes / 2, exactly);
  BOOST_TEST(result.high.value() == *result.passes * 2, exactly);
  graph.prediction->break_even_error.reset();
  result = found(graph).value();
  BOOST_TEST(result.passes.value() > 3);
  BOOST_TEST(result.low.value() == 0);
  BOOST_TEST(!result.high);
}

/// Set-ups and rounds with noise, many times over: the interval should contain the truth in about
/// 95 of 100 cases. With 15 set-ups a percentile interval of medians contains it a little less
/// often.
BOOST_AUTO_TEST_CASE(the_interval_holds_the_truth) {
  std::mt19937 engine(11);
  std::normal_distribution<double> noise(0, 0.02);
  const auto around = [&](double us) { return us * (1 + noise(engine)); };
  int held = 0;
  constexpr int cases = 200;
  for (int i = 0; i < cases; ++i) {
    const auto drawn = [&](const char* name, double setup_us, double pass_us) {
      Measurement m = timed(name, pass_us, priced(setup_us, 0, pass_us));
      for (double& us : m.price->setup_us) us = around(setup_us);
      for (auto& passes : m.price->passes_us) {
        for (double& us : passes) us = around(pass_us);
      }
      m.samples.clear();
      for (std::uint32_t round = 0; round < 40; ++round) {
        m.samples.push_back({pass_us / 2, pass_us, around(pass_us), round, 0});
      }
      return m;
    };
    Comparison comparison =
        made_up_comparison({drawn("streams", 100, 1000), drawn("graph", 2100, 900)});
    find_break_even(comparison);
    const BreakEven& result = comparison.measurements[1].break_even.value();
    held += result.low.value_or(never) <= 20 && result.high.value_or(never) >= 20;
  }
  BOOST_TEST(held >= 0.88 * cases);
  BOOST_TEST(held <= 0.995 * cases);
}

/// Processes differ by 10%, and their rounds by far less: the interval should contain the result of
/// another run of five in about 95 of 100 cases.
BOOST_AUTO_TEST_CASE(over_processes_the_interval_holds_another_run) {
  std::mt19937 engine(12);
  std::normal_distribution<double> noise(0, 0.002), apart(0, 0.1);
  const auto drawn = [&](const char* name, double setup_us, double pass_us) {
    Measurement m = timed(name, pass_us, priced(setup_us, 0, pass_us));
    m.samples.clear();
    for (std::uint32_t process = 0; process < 5; ++process) {
      const double us = pass_us * (1 + apart(engine));
      for (std::uint32_t round = 0; round < 8; ++round) {
        m.samples.push_back({us / 2, us, us * (1 + noise(engine)), round, 0, process});
      }
    }
    return m;
  };
  const auto run = [&] {
    Comparison comparison =
        made_up_comparison({drawn("streams", 100, 1000), drawn("graph", 20100, 500)});
    comparison.processes = 5;
    find_break_even(comparison);
    return comparison.measurements[1].break_even.value();
  };
  int held = 0;
  constexpr int cases = 200;
  for (int i = 0; i < cases; ++i) {
    const BreakEven one = run(), other = run();
    held += *other.passes >= one.low.value() && *other.passes <= one.high.value_or(never);
  }
  BOOST_TEST(held >= 0.9 * cases);
  BOOST_TEST(held <= 0.995 * cases);
}

/// So it does not matter which process of one variant took turns with which of the other.
BOOST_AUTO_TEST_CASE(processes_of_two_variants_are_independent) {
  const auto drawn = [](const char* name, double setup_us, double pass_us,
                        const std::vector<double>& factors) {
    Measurement m = timed(name, pass_us, priced(setup_us, 0, pass_us));
    m.samples.clear();
    for (std::uint32_t process = 0; process < factors.size(); ++process) {
      const double us = pass_us * factors[process];
      for (std::uint32_t round = 0; round < 8; ++round) {
        m.samples.push_back({us / 2, us, us, round, 0, process});
      }
    }
    return m;
  };
  const auto found = [&](const std::vector<double>& factors) {
    Comparison comparison =
        made_up_comparison({drawn("streams", 100, 1000, factors),
                            drawn("graph", 20100, 500, {0.95, 0.98, 1.02, 1.05})});
    comparison.processes = 4;
    find_break_even(comparison);
    return comparison.measurements[1].break_even.value();
  };
  const BreakEven together = found({0.95, 0.98, 1.02, 1.05}),
                  apart = found({1.05, 1.02, 0.98, 0.95});
  BOOST_TEST(together.low.value() < *together.passes);
  BOOST_TEST(together.low.value() == apart.low.value(), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(together.high.value() == apart.high.value(), boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(real_courses_cross_where_their_means_do) {
  std::vector<Course> graph, streams;
  // Two speeds of set-up, and a hiccup at either end: 200 us in the middle 80%.
  for (const double setup :
       {0.0, 150.0, 150.0, 150.0, 150.0, 150.0, 250.0, 250.0, 250.0, 250.0, 250.0, 5000.0}) {
    graph.push_back({setup, setup + 50, setup + 100, setup + 150});
    streams.push_back({0, 100, 200, 300});
  }
  Crossing crossing = crossing_of(graph, streams, Pays::later, 1);
  BOOST_TEST((crossing.sequences == 12 && crossing.run == 3));
  BOOST_TEST(!crossing.passes);  // 200 us at 50 us a pass: after four
  for (int more = 0; more < 2; ++more) {
    for (Course& course : graph) course.push_back(course.back() + 50);
    for (Course& course : streams) course.push_back(course.back() + 100);
  }
  crossing = crossing_of(graph, streams, Pays::later, 1);
  BOOST_TEST(crossing.passes.value() == 4, exactly);
  BOOST_TEST(crossing.low.value() < 4);
  BOOST_TEST(crossing.low.value() > 2);
  BOOST_TEST(!crossing.high);  // with a second hiccup in the resample, it is not seen
  crossing = crossing_of(streams, graph, Pays::at_first, 1);  // the same, seen from the other side
  BOOST_TEST(crossing.passes.value() == 4, exactly);
}

BOOST_AUTO_TEST_SUITE_END()
