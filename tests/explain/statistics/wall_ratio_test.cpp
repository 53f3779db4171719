// The ratio of two variants: by rounds if they were measured, within the model's error otherwise.
#include "common/explain/statistics/ratio.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(wall_ratios)

namespace {

Measurement predicted(const std::string& variant, double wall_us, std::optional<double> error) {
  Measurement m = made_up(variant, 10, wall_us, 1);
  m.samples.front().wall_us = wall_us;
  m.prediction = Prediction{error, {}};
  return m;
}

}  // namespace

BOOST_AUTO_TEST_CASE(measured_times_have_the_interval_of_their_rounds) {
  const Measurement one = made_up("one", 10, 100), other = made_up("other", 10, 50);
  const Ratio found = *wall_ratio(one, other);
  BOOST_TEST((found.covers == Covers::rounds));
  BOOST_TEST(found.low == variant_ratio(one.samples, other.samples)->low);
}

BOOST_AUTO_TEST_CASE(predicted_times_have_the_larger_error_of_both) {
  for (const auto& [one, other] : {std::pair{1.25, 1.1}, {1.1, 1.25}}) {
    const Ratio found = *wall_ratio(predicted("a", 200, one), predicted("b", 100, other));
    BOOST_TEST((found.covers == Covers::model_error));
    BOOST_TEST(found.estimate == 2);
    BOOST_TEST(found.low == 1.6);
    BOOST_TEST(found.high == 2.5);
    BOOST_TEST(!found.tie());
    BOOST_TEST(decides(found));
  }
}

BOOST_AUTO_TEST_CASE(a_difference_inside_the_error_is_a_tie_however_sure_the_times_are) {
  BOOST_TEST(wall_ratio(predicted("a", 124, 1.25), predicted("b", 100, 1.25))->tie());
  BOOST_TEST(!wall_ratio(predicted("a", 126, 1.25), predicted("b", 100, 1.25))->tie());
}

BOOST_AUTO_TEST_CASE(an_error_that_is_not_known_decides_nothing) {
  const Ratio found = *wall_ratio(predicted("a", 900, {}), predicted("b", 100, 1.25));
  BOOST_TEST(found.estimate == 9);
  BOOST_TEST((found.covers == Covers::model_error));
  BOOST_TEST(!decides(found));
  BOOST_TEST(found.tie());
}

BOOST_AUTO_TEST_CASE(without_samples_there_is_no_ratio) {
  Measurement none = predicted("a", 100, 1.25);
  none.samples.clear();
  BOOST_TEST(!wall_ratio(none, predicted("b", 100, 1.25)).has_value());
  BOOST_TEST(!wall_ratio(predicted("b", 100, 1.25), none).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
