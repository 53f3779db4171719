// Figures of a loop, and the verdict on them.
#include "common/measure/loop/results/loop_verdict.hpp"

#include "common/explain/statistics/statistics.hpp"
#include "tests/measure/loop/results/made_up_loops.hpp"

BOOST_AUTO_TEST_SUITE(loop_verdict)

std::string best_of(const std::vector<LoopContender>& contenders) {
  const LoopComparison comparison = made_up_loop(contenders);
  return contender_name(*verdict_of(comparison)->best.contender);
}

std::string cheap_of(const std::vector<LoopContender>& contenders) {
  const LoopComparison comparison = made_up_loop(contenders);
  const auto verdict = verdict_of(comparison);
  return verdict->cheap ? contender_name(*verdict->cheap->contender) : "none";
}

LoopTurn turn(double wall_us, double busy_us) {
  return {.items = 4,
          .wall_us = wall_us,
          .span_us = 100,
          .busy_us = busy_us,
          .cpu_us = wall_us / 2,
          .clock_error_us = busy_us / 100,
          .told_us = {1, 2, 3, 10},
          .restart_us = {5, 7}};
}

LoopResults results() {
  LoopMeasurement ok{.teller = "told_so", .reason = {}, .turns = {turn(100, 80)}};
  LoopMeasurement failed{.teller = "failing",
                         .resubmission = Resubmission::graph,
                         .status = LoopStatus::failed,
                         .reason = "lane 1: the result of item 7 is wrong",
                         .turns = {turn(100, 80)}};
  return {.context = {}, .seed = 3, .loops = {{loop_presets().front(), {ok, failed}}}};
}

BOOST_AUTO_TEST_CASE(rates_are_paired_by_turn_so_that_a_common_drift_cancels) {
  const LoopComparison comparison = made_up_loop({{.teller = "a", .rate = 900}, {.teller = "bb"}});
  const Ratio ratio = rate_ratio(comparison.measurements[0], comparison.measurements[1]);
  BOOST_TEST(ratio.estimate == 0.9, boost::test_tools::tolerance(0.001));
  BOOST_TEST(ratio.low > 0.89);
  BOOST_TEST(ratio.high < 0.91);
}

BOOST_AUTO_TEST_CASE(turns_that_were_added_up_are_not_paired_with_others) {
  LoopMeasurement one = made_up_contender({.teller = "a"}),
                  other = made_up_contender({.teller = "b", .rate = 500});
  for (LoopTurn& turn : other.turns) turn.turns = 2;
  const Ratio ratio = rate_ratio(one, other);
  BOOST_TEST(!decides(ratio));
  BOOST_TEST(ratio.estimate == 2, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(a_loss_is_more_than_a_tie_and_at_least_one_percent) {
  BOOST_TEST(is_loss({.estimate = 0.95, .low = 0.94, .high = 0.96}));
  BOOST_TEST(!is_loss({.estimate = 0.95, .low = 0.90, .high = 1}));
  BOOST_TEST(!is_loss({.estimate = 0.995, .low = 0.994, .high = 0.996}));
}

BOOST_AUTO_TEST_CASE(the_fastest_wins_unless_another_shows_no_difference_with_fewer_processors) {
  BOOST_TEST(best_of({{.teller = "slow", .rate = 900}, {.teller = "fast"}}) == "fast + streams");
  BOOST_TEST(best_of({{.teller = "fast", .cpu = 2}, {.teller = "lean", .rate = 999, .cpu = 1}}) ==
             "lean + streams");
  BOOST_TEST(best_of({{.teller = "fast", .cpu = 2}, {.teller = "lean", .rate = 900, .cpu = 1}}) ==
             "fast + streams");
}

BOOST_AUTO_TEST_CASE(of_equals_the_first_of_the_list_wins) {
  BOOST_TEST(best_of({{.teller = "plain", .rate = 999, .cpu = 1.05}, {.teller = "elaborate"}}) ==
             "plain + streams");
}

BOOST_AUTO_TEST_CASE(what_leaves_the_processors_free_is_judged_by_itself) {
  const std::vector<LoopContender> all{{.teller = "polls"},
                                       {.teller = "sleeps", .rate = 700, .cpu = 0.3},
                                       {.teller = "dozes", .rate = 800, .cpu = 0.49},
                                       {.teller = "half", .rate = 900, .cpu = 0.51}};
  BOOST_TEST(best_of(all) == "polls + streams");
  BOOST_TEST(cheap_of(all) == "dozes + streams");
  BOOST_TEST(cheap_of({{.teller = "polls"}}) == "none");
}

BOOST_AUTO_TEST_CASE(failed_contenders_and_empty_ones_are_no_winners) {
  LoopComparison comparison = made_up_loop({{.teller = "failed", .rate = 5000}, {.teller = "ok"}});
  comparison.measurements[0].status = LoopStatus::failed;
  BOOST_TEST(contender_name(*verdict_of(comparison)->best.contender) == "ok + streams");
  comparison.measurements[1].turns.clear();
  BOOST_TEST(!verdict_of(comparison).has_value());
}

BOOST_AUTO_TEST_CASE(the_words_say_what_to_use_by_how_much_and_what_it_costs_to_save_processors) {
  LoopComparison comparison =
      made_up_loop({{.teller = "polls"},
                    {.teller = "polls", .resubmission = Resubmission::graph},
                    {.teller = "spins", .rate = 900, .cpu = 2},
                    {.teller = "sleeps", .rate = 800, .cpu = 0.25}});
  BOOST_TEST(verdict_words(comparison) ==
             "Use polls + streams: 947 items/s, notified after 5.00 us (p99 6.00), 1.00 CPUs busy. "
             "No difference: polls + graph. Next is spins + streams, with 0.90 [0.90, 0.90 in this "
             "process] of the fastest's items/s. Below 0.5 CPUs: sleeps + streams (0.25), 0.80 "
             "[0.80, 0.80 in this process] of the items/s, notified after 5.00 us (p99 6.00).");
  comparison.measurements.pop_back();
  BOOST_TEST(verdict_words(comparison).ends_with(" None keeps less than 0.5 CPUs busy."));
  comparison.measurements = {made_up_contender({.teller = "sleeps", .cpu = 0.25})};
  BOOST_TEST(
      verdict_words(comparison) ==
      "Use sleeps + streams: 947 items/s, notified after 5.00 us (p99 6.00), 0.25 CPUs busy.");
}

BOOST_AUTO_TEST_CASE(a_notification_that_ties_with_either_resubmission_is_named_once) {
  const Resubmission graph = Resubmission::graph;
  const std::string words =
      verdict_words(made_up_loop({{.teller = "polls"},
                                  {.teller = "polls", .resubmission = graph},
                                  {.teller = "spins", .cpu = 2},
                                  {.teller = "spins", .resubmission = graph, .cpu = 2}}));
  BOOST_TEST(words.find(" No difference: polls + graph and spins.") != std::string::npos, words);
}

BOOST_AUTO_TEST_CASE(too_few_turns_give_no_verdict) {
  const std::vector<LoopContender> both{{.teller = "a", .rate = 500}, {.teller = "b"}};
  BOOST_TEST(verdict_words(made_up_loop(both, fewest_rounds - 1)) ==
             "No verdict: an interval needs 6 turns of each.");
  BOOST_TEST(verdict_words(made_up_loop(both, fewest_rounds)).starts_with("Use b + streams"));
}

BOOST_AUTO_TEST_CASE(all_items_are_counted_and_a_failure_is_not_hidden) {
  LoopComparison one = made_up_loop({{.teller = "a"}, {.teller = "b"}}), other = one;
  one.measurements[0].checked = 1'234'567;
  one.measurements[1].checked = 0;
  const std::array both{&std::as_const(one), &std::as_const(other)};
  BOOST_TEST(checked_words(both) == "1,237,167 items checked, none lost, none wrong.");
  other.measurements[0].status = LoopStatus::failed;
  BOOST_TEST(checked_words(both) == "1,237,167 items were right before a failure.");
  one.measurements[0].checked = 123;
  BOOST_TEST(checked_words(std::array{&std::as_const(one)}).starts_with("123 items checked"));
}

BOOST_AUTO_TEST_CASE(rates_are_by_mean_times_and_times_quantiles_over_items) {
  const LoopFigures f = figures_of({turn(100, 80), turn(200, 60), turn(400, 90)});
  BOOST_TEST(f.items_per_second == 12 / 700e-6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(f.told_us == 2.5);
  BOOST_TEST(f.told_p99_us > 3);
  BOOST_TEST(f.restart_us.value() == 6);
  BOOST_TEST(f.restart_p99_us.value() > 6);
  BOOST_TEST(f.idle == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(f.cpu.value() == 0.5);
  BOOST_TEST(f.clock_error_us == 0.9);
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_is_absent) {
  LoopTurn one = turn(100, 80);
  one.cpu_us.reset();
  one.restart_us.clear();
  const LoopFigures f = figures_of({one});
  BOOST_TEST(!f.cpu.has_value());
  BOOST_TEST(!f.restart_us.has_value());
  BOOST_CHECK_THROW(figures_of({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_failed_contender_has_a_reason_and_no_row) {
  const std::string page = as_text(loops_page(results()));
  BOOST_TEST(page.find("told_so") != std::string::npos);
  BOOST_TEST(page.find("failing + graph: failed: lane 1: the result of item 7 is wrong") !=
             std::string::npos);
  BOOST_TEST(page.find("failing  ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_not_modelled_is_said_once_with_its_reason) {
  LoopResults some = results();
  LoopMeasurement lacking{
      .teller = "one", .status = LoopStatus::not_modelled, .reason = "host threads", .turns = {}};
  LoopMeasurement other = lacking;
  other.teller = "other";
  some.loops.front().measurements = {lacking, lacking, other};
  const std::string page = as_text(loops_page(some));
  BOOST_TEST(page.find("one and other: not modelled: host threads") != std::string::npos, page);
}

BOOST_AUTO_TEST_CASE(a_file_has_every_sample) {
  const std::string file = to_json(results());
  BOOST_TEST(file.find("\"trilane-loops\"") != std::string::npos);
  BOOST_TEST(file.find("\"told_us\": [1, 2, 3, 10]") != std::string::npos, file);
}

BOOST_AUTO_TEST_SUITE_END()
