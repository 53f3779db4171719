// The error of predictions against measured figures, by tier.
#include "common/explain/analysis/verdict/derive.hpp"

#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(fit_error)

struct Walls {
  const char* variant;
  Mover mover;
  double wall_us;
};

Comparison comparison_of(const std::vector<Walls>& all) {
  std::vector<Measurement> measurements;
  for (const auto& [variant, mover, wall_us] : all) {
    Measurement m = made_up(variant, 1, wall_us);
    for (Sample& sample : m.samples) sample.wall_us = wall_us;
    m.plan.model.mover = mover;
    measurements.push_back(std::move(m));
  }
  return made_up_comparison(std::move(measurements));
}

/// Prices a variant: the time of its set-up, then two passes.
void price(Measurement& m, double setup_us) {
  const double wall_us = m.samples.front().wall_us;
  m.price.emplace();
  m.price->setup_us = {setup_us};
  m.price->passes_us = {{wall_us}, {wall_us}};
}

constexpr Mover chunks = Mover::engines_per_chunk, pass = Mover::engines_per_pass,
                kernels = Mover::kernels;

ModelError fitted(const std::vector<Walls>& measured, const std::vector<Walls>& predicted) {
  const Comparison here[]{comparison_of(measured)}, there[]{comparison_of(predicted)};
  return fitted_error(here, there);
}

BOOST_AUTO_TEST_CASE(a_factor_that_all_times_share_is_no_error_of_a_ratio) {
  const ModelError error = fitted({{"streams", chunks, 100}, {"graph", chunks, 50}},
                                  {{"streams", chunks, 300}, {"graph", chunks, 150}});
  BOOST_TEST(error.same_operations->cases == 1u);
  BOOST_TEST(error.same_operations->factor == 1, boost::test_tools::tolerance(0.002));
  BOOST_TEST(!error.moved_together.has_value());
  BOOST_TEST(!error.rewritten.has_value());
  BOOST_TEST(!error.break_even.has_value());
}

BOOST_AUTO_TEST_CASE(each_pair_counts_for_the_tier_further_from_the_same_operations) {
  const std::vector<Walls> measured{
      {"streams", chunks, 100}, {"graph", chunks, 50}, {"coalesced", pass, 80}, {"k", kernels, 90}};
  const std::vector<Walls> predicted{
      {"streams", chunks, 100}, {"graph", chunks, 50}, {"coalesced", pass, 88}, {"k", kernels, 45}};
  const ModelError error = fitted(measured, predicted);
  BOOST_TEST(error.same_operations->cases == 1u);
  BOOST_TEST(error.moved_together->cases == 2u);
  BOOST_TEST(error.moved_together->factor == 1.1, boost::test_tools::tolerance(0.002));
  BOOST_TEST(error.rewritten->cases == 3u);
  // Two ratios are off by 2 and one, to coalesced, by 2.2: the 95% quantile lies between.
  BOOST_TEST(error.rewritten->factor > 2);
  BOOST_TEST(error.rewritten->factor < 2.2);
}

BOOST_AUTO_TEST_CASE(each_pair_counts_for_the_bottleneck_of_the_one_further_from_its_bound) {
  const std::vector<Walls> times{
      {"a", chunks, 100}, {"b", chunks, 100}, {"c", chunks, 100}, {"d", chunks, 100}};
  const Comparison measured = comparison_of(times);
  Comparison predicted = measured;
  const auto limited = [&](std::size_t variant, Limiter by, double efficiency) {
    predicted.measurements[variant].bound_by = by;
    predicted.measurements[variant].efficiency = efficiency;
  };
  limited(0, Limiter::sms, 0.9);
  limited(1, Limiter::kernel_launches, 0.5);
  limited(2, Limiter::copy_out, 0.9);
  limited(3, Limiter::copy_in, 0.49);
  const ModelError error = fitted_error({&measured, 1}, {&predicted, 1});
  BOOST_TEST(error.kernels.value().same_operations.value().cases == 1u);
  BOOST_TEST(error.copies.value().same_operations.value().cases == 2u);
  BOOST_TEST(error.overheads.value().same_operations.value().cases == 3u);
  BOOST_TEST(error.same_operations.value().cases == 6u);
  BOOST_TEST(!error.kernels->rewritten.has_value());
}

BOOST_AUTO_TEST_CASE(a_factor_is_rounded_up) {
  const double exact = 1.5 * 1.0001;
  const ModelError error = fitted({{"streams", chunks, 100}, {"graph", chunks, 100}},
                                  {{"streams", chunks, 100}, {"graph", chunks, 100 * exact}});
  BOOST_TEST(error.same_operations->factor >= exact);
  BOOST_TEST(error.same_operations->factor < 1.51);
}

BOOST_AUTO_TEST_CASE(too_slow_and_too_fast_count_alike) {
  for (const double off : {40.0, 62.5}) {
    const ModelError error = fitted({{"streams", chunks, 100}, {"graph", chunks, 50}},
                                    {{"streams", chunks, 100}, {"graph", chunks, off}});
    BOOST_TEST(error.same_operations->factor == 1.25, boost::test_tools::tolerance(0.002));
  }
}

BOOST_AUTO_TEST_CASE(variants_without_times_in_both_are_left_out) {
  const ModelError error =
      fitted({{"streams", chunks, 100}, {"graph", chunks, 50}, {"mine", chunks, 7}},
             {{"streams", chunks, 100}, {"graph", chunks, 50}, {"other", chunks, 7}});
  BOOST_TEST(error.same_operations->cases == 1u);
}

BOOST_AUTO_TEST_CASE(break_evens_count_where_the_prediction_tells_a_gain) {
  Comparison measured = comparison_of({{"streams", chunks, 100}, {"graph", chunks, 50}});
  Comparison predicted = comparison_of({{"streams", chunks, 100}, {"graph", chunks, 50}});
  measured.measurements[1].break_even = BreakEven{.pays = Pays::later, .passes = 10};
  price(predicted.measurements[0], 0);
  price(predicted.measurements[1], 1000);  // break-even after 20 passes
  const ModelError error = fitted_error({&measured, 1}, {&predicted, 1});
  BOOST_TEST(error.break_even->cases == 1u);
  BOOST_TEST(error.break_even->factor == 2, boost::test_tools::tolerance(0.002));
  measured.measurements[1].break_even->pays = Pays::at_first;
  BOOST_TEST(!fitted_error({&measured, 1}, {&predicted, 1}).break_even.has_value());
  measured.measurements[1].break_even->pays = Pays::later;
  price(predicted.measurements[1], 0);  // break-even at once, which has no ratio to 10 passes
  BOOST_TEST(!fitted_error({&measured, 1}, {&predicted, 1}).break_even.has_value());
  price(predicted.measurements[1], 1000);
  measured.measurements[1].samples.clear();
  BOOST_TEST(!fitted_error({&measured, 1}, {&predicted, 1}).break_even.has_value());
}

BOOST_AUTO_TEST_CASE(a_prediction_takes_the_error_of_its_tier) {
  const ModelError error{.same_operations = ErrorFactor{9, 1.1}, .break_even = ErrorFactor{9, 3}};
  BOOST_TEST(*prediction_with(error, Tier::same_operations).ratio_error == 1.1);
  BOOST_TEST(*prediction_with(error, Tier::same_operations).break_even_error == 3);
  BOOST_TEST(!prediction_with(error, Tier::moved_together).ratio_error.has_value());
  BOOST_TEST(!prediction_with(error, Tier::rewritten).ratio_error.has_value());
}

BOOST_AUTO_TEST_CASE(as_many_must_be_predicted_as_measured) {
  const Comparison one = comparison_of({{"streams", chunks, 100}});
  BOOST_CHECK_THROW(fitted_error({&one, 1}, {}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
