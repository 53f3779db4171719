#include "common/harness/rounds/pace.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

using namespace trilane;

namespace {

Pace pace(const std::vector<double>& passes_us, double seconds, std::uint32_t batch = 1) {
  return pace_of(passes_us, {.turn = 2, .batch = batch, .rounds = 20, .seconds = seconds});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pace_of_turns)

BOOST_AUTO_TEST_CASE(short_passes_are_timed_without_events_after_an_untimed_one) {
  const Pace got = pace({1000, 20}, 8, 4);
  BOOST_TEST(got.turn_of(1000).untimed == 1u);
  BOOST_TEST(got.turn_of(1000).more_untimed == 0u);
  BOOST_TEST(got.turn_of(1000).samples == 2u);
  BOOST_TEST(got.turn_of(1000).batch == 4u);
  BOOST_TEST(got.turn_of(long_pass_us).untimed == 0u);
  BOOST_TEST(got.round_us == 2 * 2 * 4 * 1020);
}

BOOST_AUTO_TEST_CASE(variants_that_run_apart_warm_up_and_are_timed_for_longer) {
  const auto plan = [](double pass_us, double seconds, std::uint32_t batch = 1) {
    const Pace got = pace_of(
        std::vector<double>{1000, 20},
        {.turn = 2, .batch = batch, .rounds = 2, .seconds = seconds, .apart = true});
    const TurnPlan turn = got.turn_of(pass_us);
    BOOST_TEST(turn.more_untimed == turn.untimed);
    return std::pair(turn.untimed, turn.samples);
  };
  // Of 1 s, 2 rounds of 2 variants take 20 ms untimed and 60 ms timed each; every sample has 2
  // runs.
  BOOST_TEST((plan(6000, 1) == std::pair(4u, 5u)));
  BOOST_TEST((plan(400, 1) == std::pair(50u, 75u)));
  BOOST_TEST((plan(334, 1) == std::pair(60u, 90u)));
  BOOST_TEST((plan(1, 1) == std::pair(20'000u, 100u)));
  BOOST_TEST((plan(long_pass_us, 1) == std::pair(0u, 2u)));
  BOOST_TEST((plan(334, 1, 4) == std::pair(60u, 23u)));
  BOOST_TEST((plan(400, 4 * 50e-3) == std::pair(50u, 38u)));  // 30 ms are left
  BOOST_TEST((plan(400, 1e-3) == std::pair(50u, 25u)));       // 20 ms are the least
}

BOOST_AUTO_TEST_CASE(a_pace_without_variants_has_no_turns) {
  const Pace got = pace_of({}, {.turn = 2, .batch = 1, .rounds = 2, .seconds = 1, .apart = true});
  BOOST_TEST(got.turn_of(400).samples == 2u);
}

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
