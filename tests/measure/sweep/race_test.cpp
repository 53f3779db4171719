// Which variants are dropped from a cell, when it is decided, and what is written about it.
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/sweep/conclude.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(race)

/// Asks a race after every round of the comparison's first `rounds`.
struct Raced {
  bool decided = false;
  std::vector<bool> resting;
  std::uint32_t asked = 0;  ///< rounds until it was decided

  Raced(const Comparison& whole, std::uint32_t rounds, Aim aim = Aim::winner)
      : resting(whole.measurements.size()) {
    Race race(aim);
    for (asked = 1; asked <= rounds && !decided; ++asked) {
      Comparison so_far = whole;
      so_far.rounds = asked;
      for (Measurement& m : so_far.measurements) {
        std::erase_if(m.samples, [&](const Sample& sample) { return sample.round >= asked; });
      }
      decided = race(so_far, resting) == "decided";
    }
    --asked;
  }
};

Cell concluded(Comparison comparison) {
  comparison.stopped = "decided";
  Cell cell;
  conclude(comparison, cell);
  return cell;
}

/// Returns only its first rounds, as for a dropped variant.
Measurement cut_to(Measurement m, std::uint32_t rounds) {
  m.samples.resize(rounds);
  return m;
}

BOOST_AUTO_TEST_CASE(the_hopeless_are_dropped_after_three_rounds_but_not_the_reference) {
  const Comparison comparison = made_up_comparison(
      {made_up("streams", 300, 900), made_up("graph", 10, 300), made_up("malloc", 10, 900)});
  BOOST_TEST(Raced(comparison, 2).resting == (std::vector<bool>{false, false, false}),
             boost::test_tools::per_element());
  const Raced after(comparison, 3);
  BOOST_TEST(after.resting == (std::vector<bool>{false, false, true}),
             boost::test_tools::per_element());
  BOOST_TEST(!after.decided);
}

BOOST_AUTO_TEST_CASE(a_clear_winner_decides_after_six_rounds) {
  const Raced watched(made_up_comparison({made_up("streams", 300, 400), made_up("graph", 10, 300)}),
                      21);
  BOOST_TEST(watched.decided);
  BOOST_TEST(watched.asked == fewest_rounds);
}

BOOST_AUTO_TEST_CASE(close_variants_are_decided_as_a_tie) {
  BOOST_TEST(
      Raced(made_up_comparison({made_up("streams", 300, 300), made_up("graph", 10, 300.5)}), 21)
          .decided);
}

BOOST_AUTO_TEST_CASE(between_a_tie_and_a_gain_it_stays_open) {
  // 1.5% apart in the middle, with noise of 3% each way: neither within 2% nor clear.
  Measurement noisy = made_up("streams", 300, 304.5);
  for (Sample& sample : noisy.samples) sample.wall_us *= 1 + 0.03 * (sample.round % 3 - 1.0);
  const Raced watched(made_up_comparison({noisy, made_up("graph", 10, 300)}), 7);
  BOOST_TEST(!watched.decided);
  BOOST_TEST(!watched.resting[0]);
}

BOOST_AUTO_TEST_CASE(an_interval_that_is_narrow_by_chance_decides_nothing) {
  // Alternately slow and fast rounds have a mean that looks more certain than rounds like these.
  Measurement uneven = made_up("streams", 300, 324);
  for (Sample& sample : uneven.samples) sample.wall_us *= sample.round % 2 == 0 ? 1.04 : 0.96;
  const Raced watched(made_up_comparison({uneven, made_up("graph", 10, 300)}), 12);
  BOOST_TEST(!watched.decided);
}

BOOST_AUTO_TEST_CASE(one_variant_alone_is_decided) {
  BOOST_TEST(Raced(made_up_comparison({made_up("streams", 3, 9)}), 21).decided);
}

/// Returns a rewrite.
Measurement rewritten(const std::string& name, double wall_us) {
  Measurement m = made_up(name, 10, wall_us);
  m.plan.model.mover = Mover::fused_per_pass;
  return m;
}

BOOST_AUTO_TEST_CASE(variants_are_dropped_by_what_they_lose_to_their_own_tier) {
  const Comparison comparison = made_up_comparison(
      {made_up("streams", 300, 900), made_up("graph", 10, 600), made_up("pool", 10, 1000),
       rewritten("fused", 20), rewritten("graph_fused", 90)});
  const Raced watched(comparison, 21);
  BOOST_TEST(watched.resting == (std::vector<bool>{true, false, true, false, true}),
             boost::test_tools::per_element());
  BOOST_TEST(watched.decided);
  const Cell cell = concluded(comparison);
  BOOST_TEST(cell.winner == "fused");
  BOOST_TEST_REQUIRE(cell.winners.size() == 2u);
  BOOST_TEST(cell.winners[0].variant == "graph");
  BOOST_TEST((cell.winners[0].tier == Tier::same_operations));
  BOOST_TEST(cell.winners[0].ratio.value().estimate == 600. / 900,
             boost::test_tools::tolerance(0.01));
  BOOST_TEST(cell.winners[1].variant == "fused");
  BOOST_TEST((cell.winners[1].tier == Tier::rewritten));
}

BOOST_AUTO_TEST_CASE(the_winner_of_all_must_be_clear_between_tiers_too) {
  Measurement noisy = made_up("streams", 300, 304.5);
  for (Sample& sample : noisy.samples) sample.wall_us *= 1 + 0.03 * (sample.round % 3 - 1.0);
  BOOST_TEST(!Raced(made_up_comparison({noisy, rewritten("fused", 300)}), 7).decided);
  BOOST_TEST(Raced(made_up_comparison({noisy, rewritten("fused", 30)}), 7).decided);
}

BOOST_AUTO_TEST_CASE(those_that_tie_with_the_best_of_their_tier_are_named_there) {
  const Cell cell = concluded(made_up_comparison(
      {made_up("streams", 300, 600), made_up("graph", 10, 601), rewritten("fused", 20)}));
  BOOST_TEST_REQUIRE(cell.winners.size() == 2u);
  BOOST_TEST(cell.winners[0].tied == std::vector<std::string>{"graph"},
             boost::test_tools::per_element());
  BOOST_TEST(cell.winners[1].tied.empty());
  BOOST_TEST(cell.tied.empty());
}

BOOST_AUTO_TEST_CASE(on_a_curve_nobody_is_dropped_before_its_own_time_is_known) {
  const Comparison steady =
      made_up_comparison({made_up("streams", 300, 900), made_up("malloc", 10, 9000)}, "");
  BOOST_TEST(Raced(steady, 3).resting[1]);
  BOOST_TEST(!Raced(steady, 5, Aim::curve).resting[1]);
  BOOST_TEST(Raced(steady, 21, Aim::curve).resting[1]);
  BOOST_TEST(Raced(steady, 21, Aim::curve).decided);
  Comparison noisy = steady;
  for (Sample& sample : noisy.measurements[1].samples) {
    sample.wall_us *= 1 + 0.1 * (sample.round % 3 - 1.0);
  }
  BOOST_TEST(Raced(noisy, 21).resting[1]);
  BOOST_TEST(!Raced(noisy, 21, Aim::curve).resting[1]);
  BOOST_TEST(!Raced(noisy, 21, Aim::curve).decided);
}

BOOST_AUTO_TEST_CASE(a_cell_has_each_wall_time_with_its_interval) {
  const Cell cell =
      concluded(made_up_comparison({made_up("streams", 300, 600), made_up("graph", 10, 300),
                                    cut_to(made_up("pool", 9, 900), 3)}));
  for (const CellVariant& entry : cell.variants) {
    BOOST_TEST_CONTEXT(entry.variant) {
      BOOST_TEST(entry.wall_low_us <= entry.wall_us);
      BOOST_TEST(entry.wall_us <= entry.wall_high_us);
      BOOST_TEST(entry.wall_high_us > entry.wall_low_us);
      BOOST_TEST(entry.wall_high_us - entry.wall_low_us < 0.011 * entry.wall_us);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cell_names_winner_ties_and_gains) {
  const Cell cell = concluded(made_up_comparison(
      {made_up("streams", 300, 600), made_up("graph", 10, 300), made_up("pool", 10, 301),
       cut_to(made_up("malloc", 10, 900), 3), made_up("serial", Status::failed, "wrong data")}));
  BOOST_TEST((cell.status == Status::ok));
  BOOST_TEST(cell.winner == "graph");
  BOOST_TEST(cell.tied == std::vector<std::string>{"pool"}, boost::test_tools::per_element());
  BOOST_TEST(cell.runner_up == "pool");
  BOOST_TEST(cell.over_runner_up->estimate < 1.01);
  BOOST_TEST(cell.over_reference->estimate == 2, boost::test_tools::tolerance(0.02));
  BOOST_TEST(cell.over_reference->low > 1.9);
  BOOST_REQUIRE(cell.variants.size() == 4u);
  BOOST_TEST(cell.variants[1].over_winner == 1);
  BOOST_TEST(cell.variants[1].wall_us == 300, boost::test_tools::tolerance(0.001));
  BOOST_TEST(cell.variants[3].rounds == 3u);
  BOOST_TEST(cell.variants[3].low > 2.9);  // of the observations, for want of an interval
  BOOST_REQUIRE(cell.left_out.size() == 1u);
  BOOST_TEST(cell.left_out[0].second == "failed: wrong data");
}

BOOST_AUTO_TEST_CASE(common_rounds_say_what_leads_if_times_drift) {
  Measurement streams = made_up("streams", 300, 300);
  for (Sample& sample : streams.samples) sample.wall_us *= sample.round < 7 ? 1 : 1.5;
  const Cell cell = concluded(made_up_comparison({streams, cut_to(made_up("graph", 10, 330), 7)}));
  BOOST_TEST(cell.winner == "streams");  // graph had the shorter mean
}

BOOST_AUTO_TEST_CASE(less_than_a_percent_is_a_tie_however_sure) {
  const Cell cell = concluded(
      made_up_comparison({made_up("streams", 30, 302, 201), made_up("graph", 10, 300, 201)}));
  BOOST_TEST(cell.winner == "graph");
  BOOST_TEST(cell.over_reference->low > 1);
  BOOST_TEST(cell.tied == std::vector<std::string>{"streams"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_cell_where_all_fail_has_failed_with_the_first_reason) {
  const Cell cell = concluded(
      made_up_comparison({made_up("streams", Status::failed, "wrong data: 1 of 2 words")}));
  BOOST_TEST((cell.status == Status::failed));
  BOOST_TEST(cell.reason == "streams failed: wrong data: 1 of 2 words");
}

BOOST_AUTO_TEST_CASE(a_cell_where_none_had_the_memory_ran_out_of_it) {
  const Measurement none = made_up("streams", Status::out_of_memory, "cudaErrorMemoryAllocation");
  const Cell cell = concluded(made_up_comparison({none}));
  BOOST_TEST((cell.status == Status::out_of_memory));
  BOOST_TEST(cell.reason == "streams out of memory: cudaErrorMemoryAllocation");
  const Measurement wrong = made_up("graph", Status::failed, "wrong data");
  BOOST_TEST((concluded(made_up_comparison({none, wrong})).status == Status::failed));
}

BOOST_AUTO_TEST_CASE(of_predictions_that_are_not_told_apart_the_plainest_wins) {
  const auto predicted = [](const char* variant, double wall_us) {
    Measurement m = made_up(variant, 10, wall_us, 1);
    m.samples = {{.submit_us = 1, .device_us = wall_us, .wall_us = wall_us}};
    m.prediction = Prediction{1.25, {}};
    return m;
  };
  const Cell close = concluded(made_up_comparison(
      {predicted("serial", 300), predicted("streams", 100), predicted("graph", 90)}));
  BOOST_TEST(close.winner == "streams");
  BOOST_TEST((close.tied == std::vector<std::string>{"graph"}));
  const Cell apart = concluded(made_up_comparison(
      {predicted("streams", 100), predicted("graph", 52), predicted("graph_built", 50)}));
  BOOST_TEST(apart.winner == "graph");
  BOOST_TEST((apart.tied == std::vector<std::string>{"graph_built"}));
  BOOST_TEST(apart.over_reference.value().low > 1);
}

/// Returns a cell after visits in which streams, graph and pool took these times; without one, pool
/// failed.
Cell visited(const std::vector<std::array<double, 3>>& visits) {
  Cell cell;
  for (const auto& [streams, graph, pool] : visits) {
    Comparison visit = made_up_comparison(
        {made_up("streams", 30, streams), made_up("graph", 10, graph),
         pool > 0 ? made_up("pool", 20, pool) : made_up("pool", Status::failed, "wrong data")});
    visit.stopped = "decided";
    add_visit(std::move(visit), cell);
  }
  return cell;
}

BOOST_AUTO_TEST_CASE(a_first_visit_has_intervals_over_its_rounds) {
  const Cell cell = visited({{600, 300, 900}}),
             rounds = concluded(
                 made_up_comparison({made_up("streams", 30, 600), made_up("graph", 10, 300),
                                     made_up("pool", 20, 900)}));
  BOOST_TEST(cell.visits == 1u);
  BOOST_TEST((cell.over_reference.value().covers == Covers::rounds));
  BOOST_TEST(cell.over_reference->low == rounds.over_reference->low);
  BOOST_TEST(cell.variants[0].wall_high_us == rounds.variants[0].wall_high_us);
  BOOST_TEST(cell.variants[0].processes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(further_visits_give_means_and_intervals_over_processes) {
  const Cell cell = visited({{600, 300, 900}, {606, 300, 900}, {594, 300, 900}});
  BOOST_TEST(cell.visits == 3u);
  BOOST_TEST(cell.rounds == 63u);
  BOOST_TEST(cell.winner == "graph");
  const CellVariant& streams = cell.variants.at(0);
  BOOST_TEST(streams.rounds == 63u);
  BOOST_TEST_REQUIRE(streams.processes.size() == 3u);
  const auto about = boost::test_tools::tolerance(1e-3);
  BOOST_TEST(streams.processes[1].wall_us == 606, about);
  BOOST_TEST(streams.processes[1].submit_us == 30, about);
  BOOST_TEST(streams.wall_us == 600, about);
  // 1% of standard deviation between 3 processes: t(2) = 4.303, times sqrt(2/3).
  const double reach = std::exp(4.303 * 0.01 * std::sqrt(2. / 3));
  BOOST_TEST(streams.wall_high_us == 600 * reach, about);
  BOOST_TEST(streams.wall_low_us == 600 / reach, about);
  BOOST_TEST((cell.over_reference.value().covers == Covers::processes));
  BOOST_TEST(cell.over_reference->high == 2 * reach, about);
  BOOST_TEST((cell.winners.at(0).ratio.value().covers == Covers::processes));
  BOOST_TEST(cell.stopped == "decided");
}

BOOST_AUTO_TEST_CASE(processes_decide_what_rounds_seemed_to) {
  const Cell cell = visited({{306, 300, 900}, {315, 300, 900}, {298, 300, 900}});
  BOOST_TEST(cell.stopped == "time");
  BOOST_TEST(cell.tied == std::vector<std::string>{"streams"}, boost::test_tools::per_element());
  BOOST_TEST(visited({{306, 300, 900}, {306, 300, 900}}).tied.empty());
}

BOOST_AUTO_TEST_CASE(a_variant_that_failed_in_a_visit_is_left_out_of_the_cell) {
  for (const auto& visits :
       {std::vector<std::array<double, 3>>{{600, 300, 100}, {600, 300, 0}, {600, 300, 100}},
        std::vector<std::array<double, 3>>{{600, 300, 0}, {600, 300, 100}, {600, 300, 100}}}) {
    const Cell cell = visited(visits);
    BOOST_TEST((cell.status == Status::ok));
    BOOST_TEST(cell.winner == "graph");
    BOOST_TEST(cell.variants.size() == 2u);
    BOOST_TEST_REQUIRE(cell.left_out.size() == 1u);
    BOOST_TEST(cell.left_out[0].second == "failed: wrong data");
  }
}

BOOST_AUTO_TEST_SUITE_END()
