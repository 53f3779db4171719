#include "common/measure/rounds/pace.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(pace_of_turns)

namespace {

Pace pace(const std::vector<double>& passes_us, double seconds, std::uint32_t batch = 1) {
  return pace_of(passes_us, {.turn = 2, .batch = batch}, 20, seconds);
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_passes_are_timed_without_events_after_an_untimed_one) {
  const Pace got = pace({1000, 20}, 8, 4);
  BOOST_TEST(got.turn_of(1000).untimed == 1u);
  BOOST_TEST(got.turn_of(1000).more_untimed == 0u);
  BOOST_TEST(got.turn_of(1000).samples == 2u);
  BOOST_TEST(got.turn_of(1000).batch == 4u);
  BOOST_TEST(got.turn_of(long_pass_us).untimed == 0u);
  BOOST_TEST(got.round_us == 2 * 2 * 4 * 1020);
}

BOOST_AUTO_TEST_CASE(a_variant_alone_warms_up_for_20_ms_and_is_timed_for_the_rest) {
  const auto plan = [](double pass_us, double seconds, std::uint32_t batch = 1) {
    const TurnPlan turn = turn_alone(pass_us, batch, seconds);
    BOOST_TEST(turn.more_untimed == turn.untimed);
    BOOST_TEST(turn.batch == batch);
    return std::pair(turn.untimed, turn.samples);
  };
  // Of 80 ms, 60 are for samples, each of which has its passes twice.
  BOOST_TEST((plan(6000, 0.08) == std::pair(4u, 5u)));
  BOOST_TEST((plan(400, 0.08) == std::pair(50u, 75u)));
  BOOST_TEST((plan(334, 0.08, 4) == std::pair(60u, 23u)));
  BOOST_TEST((plan(1, 0.08) == std::pair(20'000u, 100u)));  // at most one in 0.6 ms
  BOOST_TEST((plan(1, 0.62) == std::pair(20'000u, 1000u)));
  BOOST_TEST((plan(400, 0.001) == std::pair(50u, 25u)));  // 20 ms are the minimum
  BOOST_TEST((plan(long_pass_us, 0.08) == std::pair(0u, 2u)));
}

BOOST_AUTO_TEST_CASE(a_pace_without_variants_has_no_turns) { BOOST_TEST(pace({}, 1).turn == 2u); }

BOOST_AUTO_TEST_CASE(turns_and_then_batches_shrink_until_the_rounds_fit) {
  // A round of 1 ms passes: 1 untimed, and twice 2 x 8.
  BOOST_TEST(pace({1000}, 20 * 33e-3, 8).turn == 2u);
  const Pace shorter = pace({1000}, 20 * 32.9e-3, 8);
  BOOST_TEST(shorter.turn == 1u);
  BOOST_TEST(shorter.batch == 8u);
  BOOST_TEST(pace({1000}, 20 * 9e-3, 8).batch == 4u);
  BOOST_TEST(pace({1000}, 0.001, 8).batch == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
