#include "common/harness/rounds/pace.hpp"

#include <boost/test/unit_test.hpp>
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
  BOOST_TEST((got.clocks == Clocks::apart));
  BOOST_TEST(got.untimed_pass(1000));
  BOOST_TEST(!got.untimed_pass(long_pass_us));
  BOOST_TEST(got.turn == 2u);
  BOOST_TEST(got.batch == 4u);
  BOOST_TEST(got.round_us == 2 * 2 * 4 * 1020);
}

BOOST_AUTO_TEST_CASE(passes_that_hide_events_are_timed_three_in_a_turn_on_all_clocks) {
  const Pace got = pace({6000, 2000}, 8);
  BOOST_TEST((got.clocks == Clocks::together));
  BOOST_TEST(!got.untimed_pass(6000));
  BOOST_TEST(got.turn == 3u);
  BOOST_TEST(got.round_us == 3 * 8000);
  BOOST_TEST(pace({6000, 2000}, 20 * 24e-3).turn == 3u);  // they fit, without untimed passes
}

BOOST_AUTO_TEST_CASE(one_variant_with_short_passes_is_enough_to_time_all_like_it) {
  BOOST_TEST((pace({6000, 1999}, 8).clocks == Clocks::apart));
  BOOST_TEST((pace({}, 8).clocks == Clocks::apart));
}

BOOST_AUTO_TEST_CASE(turns_without_a_median_have_an_untimed_pass_unless_what_is_left_is_nothing) {
  // 20 rounds of 3 x 200 ms do not fit into 8 s; of two passes they do.
  const Pace some = pace({100'000, 99'999}, 8);
  BOOST_TEST(some.turn == 1u);
  BOOST_TEST(some.untimed_pass(99'999));
  BOOST_TEST(!some.untimed_pass(100'000));
  const Pace longer = pace({100'000, 100'000}, 8);
  BOOST_TEST(longer.turn == 1u);
  BOOST_TEST(!longer.untimed_pass(100'000));
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
