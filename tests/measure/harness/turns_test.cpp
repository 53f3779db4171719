// The pace of turns, and set-ups between rounds with a fake bench.
#include "common/measure/rounds/bench.hpp"

#include "tests/measure/harness/fake_bench.hpp"

BOOST_AUTO_TEST_SUITE(pace_of_turns)

Pace pace(const std::vector<double>& passes_us, double seconds, std::uint32_t batch = 1) {
  return pace_of(passes_us, {.turn = 2, .batch = batch}, 20, seconds);
}

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
  // Long passes have no untimed one.
  BOOST_TEST(pace({long_pass_us}, 20 * 4.1e-6 * long_pass_us).turn == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(renewals)

/// Returns the variants that were set up after the first set-ups, in order.
std::vector<std::size_t> set_up_again(const FakeBench& bench) {
  std::vector<std::size_t> order;
  for (const auto& [what, variant] : bench.calls) {
    if (what == "set up") order.push_back(variant);
  }
  order.erase(order.begin(), order.begin() + 3);
  return order;
}

BOOST_FIXTURE_TEST_CASE(all_are_set_up_again_in_changing_orders, HarnessFixture) {
  settings.renewing_share = 0.2;
  run();
  const std::vector<std::size_t> again = set_up_again(bench);
  BOOST_TEST(again.size() >= 30u);
  BOOST_TEST(again.size() % 3 == 0u);
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t i = 0; i + 3 <= again.size(); i += 3) {
    const std::vector<std::size_t> order(again.begin() + i, again.begin() + i + 3);
    BOOST_TEST(std::set(order.begin(), order.end()).size() == 3u);
    orders.insert(order);
  }
  BOOST_TEST(orders.size() == 6u);
  for (std::size_t v = 0; v < 3; ++v) {
    BOOST_TEST(bench.count("tear down", v) == bench.count("set up", v));
  }
}

BOOST_FIXTURE_TEST_CASE(nobody_is_set_up_while_another_waits_for_its_tear_down, HarnessFixture) {
  settings.renewing_share = 0.2;
  std::set<std::size_t> live;
  std::size_t most_torn_down = 0;
  bench.on_call = [&](const std::string& what, std::size_t v) {
    if (what == "set up") BOOST_TEST(live.insert(v).second);
    if (what == "tear down") BOOST_TEST(live.erase(v) == 1u);
    if (what == "sample") BOOST_TEST(live.size() == 3u);
    if (what == "tear down") most_torn_down = std::max(most_torn_down, 3 - live.size());
  };
  run();
  BOOST_TEST(most_torn_down == 3u);
  BOOST_TEST(live.empty());
}

BOOST_FIXTURE_TEST_CASE(set_ups_between_rounds_keep_to_their_share_of_the_time, HarnessFixture) {
  const double set_up_us = 50'000;
  bench.on_call = [&](const std::string& what, std::size_t) {
    if (what == "set up") bench.advance(set_up_us);
  };
  for (const double share : {0.0, 0.2, 0.4}) {
    BOOST_TEST_CONTEXT(share) {
      bench.calls.clear();
      comparison = comparison_of(3);
      settings.renewing_share = share;
      run();
      const double again = static_cast<double>(set_up_again(bench).size());
      BOOST_TEST(again * set_up_us <= share * settings.seconds * 1.2e6);
      BOOST_TEST(again * set_up_us >= share * settings.seconds * 0.3e6);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(only_those_that_get_turns_are_set_up_again, HarnessFixture) {
  settings.renewing_share = 0.2;
  settings.judge = [](const Comparison& c, std::vector<bool>& dropped) {
    dropped[1] = c.rounds >= 1;
    return std::string();
  };
  run();
  BOOST_TEST(bench.count("set up", 1) == 1u);
  BOOST_TEST(bench.count("tear down", 1) == 1u);
  BOOST_TEST(bench.count("set up", 0) > 10u);
}

BOOST_FIXTURE_TEST_CASE(one_that_fails_when_set_up_again_leaves_the_others_alone, HarnessFixture) {
  settings.renewing_share = 0.2;
  bench.on_call = [&](const std::string& what, std::size_t v) {
    if (what == "set up" && v == 2 && bench.count("set up", 2) == 3) {
      throw std::runtime_error("no memory");
    }
  };
  run();
  BOOST_TEST((comparison.measurements[2].status == Status::failed));
  BOOST_TEST(bench.count("tear down", 2) == 2u);
  for (const std::size_t v : {0u, 1u}) {
    BOOST_TEST((comparison.measurements[v].status == Status::ok));
    BOOST_TEST(bench.count("tear down", v) == bench.count("set up", v));
  }
}

BOOST_AUTO_TEST_SUITE_END()
