// Criteria for a drift in a series of times.
#include "common/explain/statistics/series.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <vector>

#include "tests/explain/statistics/noise.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(drift)

namespace {

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

}  // namespace

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
