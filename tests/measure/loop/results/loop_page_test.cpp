// The map of loops, and loops of several processes merged.
#include "common/measure/loop/results/loop_verdict.hpp"

#include "tests/base/refusal.hpp"
#include "tests/measure/loop/results/made_up_loops.hpp"

BOOST_AUTO_TEST_SUITE(loop_map)

LoopComparison at(double kernel_us, double analysis_us,
                  const std::vector<LoopContender>& contenders) {
  LoopComparison comparison = made_up_loop(contenders);
  comparison.loop.kernel_us = kernel_us;
  comparison.loop.analysis_us = analysis_us;
  comparison.loop.rounds = static_cast<std::uint32_t>(kernel_us);
  return comparison;
}

const std::vector<LoopContender> graph_wins{
    {.teller = "polls", .rate = 900},
    {.teller = "polls", .resubmission = Resubmission::graph},
    {.teller = "sleeps", .rate = 500, .cpu = 0.2},
    {.teller = "sleeps", .resubmission = Resubmission::graph, .rate = 500, .cpu = 0.2}};
const std::vector<LoopContender> all_tie{{.teller = "polls", .rate = 1001}, {.teller = "spins"}};

LoopResults results() {
  LoopResults all;
  all.loops = {at(50, 0, graph_wins), at(50, 20, all_tie), at(1000, 0, all_tie)};
  all.loops.push_back(all.loops.front());
  all.loops.back().loop.name = "swarm";
  return all;
}

std::vector<Table> tables_of(const Page& page) {
  std::vector<Table> tables;
  for (const Part& part : page) {
    if (const auto* table = std::get_if<Table>(&part)) tables.push_back(*table);
  }
  return tables;
}

/// Returns the results of a process in which "slow" gets that many items per second, and "fast"
/// 1000.
LoopResults process(double slow, std::size_t turns = 3) {
  return {.context = {},
          .seed = 7,
          .loops = {made_up_loop({{.teller = "slow", .rate = slow}, {.teller = "fast"}}, turns)}};
}

LoopResults merged(const std::vector<LoopResults>& all) { return merged_loops(all); }

BOOST_AUTO_TEST_CASE(a_family_differs_in_kernel_and_analysis_time_only) {
  LoopResults some = results();
  some.loops[2].loop.lanes = 7;
  const auto families = families_of(some.loops);
  BOOST_TEST_REQUIRE(families.size() == 3u);
  BOOST_TEST(families[0].size() == 2u);
  BOOST_TEST(families[1].front() == &some.loops[2]);
  BOOST_TEST(families[2].front() == &some.loops[3]);
}

BOOST_AUTO_TEST_CASE(a_cell_names_the_winner_and_whether_others_tie) {
  const LoopResults some = results();
  const auto tables = tables_of(map_of(families_of(some.loops).front()));
  BOOST_TEST_REQUIRE(tables.size() == 2u);
  using Rows = std::vector<std::vector<std::string>>;
  BOOST_TEST((tables[0].heads == std::vector<std::string>{"kernel", "no analysis", "20.0 us"}));
  BOOST_TEST((tables[0].rows == Rows{{"50.0 us", "polls graph", "polls streams *"},
                                     {"1.00 ms", "polls streams *", ""}}));
  BOOST_TEST((tables[1].rows == Rows{{"50.0 us", "sleeps", "-"}, {"1.00 ms", "-", ""}}));
}

BOOST_AUTO_TEST_CASE(without_processor_times_there_is_no_map_of_them) {
  LoopResults some = results();
  for (LoopComparison& comparison : some.loops) {
    for (LoopMeasurement& m : comparison.measurements) {
      for (LoopTurn& turn : m.turns) turn.cpu_us.reset();
    }
  }
  BOOST_TEST(tables_of(map_of(families_of(some.loops).front())).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_page_starts_with_the_map_and_has_the_tables_where_they_are_asked_for) {
  LoopResults some = results();
  const Page brief = loops_page(some);
  BOOST_TEST(tables_of(brief).size() == 3u);  // two of the map, one of the loop without one
  BOOST_TEST(as_text(brief).find("restart by") > as_text(brief).find("The most items/s"));
  BOOST_TEST(tables_of(loops_page(some, LoopDetail::tables)).size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_failure_is_said_on_the_map_s_page) {
  LoopResults some = results();
  some.loops[1].measurements[1].status = LoopStatus::failed;
  some.loops[1].measurements[1].reason = "lane 1: the result of item 7 is wrong";
  const std::string page = as_text(loops_page(some));
  BOOST_TEST(
      page.find("kernel of 50.0 us, analysis of 20.0 us: spins + streams: failed: lane 1:") !=
          std::string::npos,
      page);
}

BOOST_AUTO_TEST_CASE(all_turns_are_kept_with_their_process) {
  const LoopResults one = merged({process(900), process(800, 2)});
  BOOST_TEST(one.seed == 7u);
  const LoopMeasurement& slow = one.loops.at(0).measurements.at(0);
  BOOST_TEST(slow.checked == 700u);
  BOOST_TEST_REQUIRE(slow.turns.size() == 5u);
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(slow.turns[i].process.value() == i / 3);
  BOOST_TEST(to_json(loops_from_json(to_json(one))) == to_json(one));
}

BOOST_AUTO_TEST_CASE(the_verdict_s_intervals_are_over_processes) {
  const LoopResults one = merged({process(900), process(800), process(700)});
  const LoopComparison& comparison = one.loops.at(0);
  const Ratio ratio = rate_ratio(comparison.measurements[0], comparison.measurements[1]);
  BOOST_TEST((ratio.covers == Covers::processes));
  // The mean time of an item over three processes: 3 / (1/0.9 + 1/0.8 + 1/0.7).
  BOOST_TEST(ratio.estimate == 0.7916, boost::test_tools::tolerance(0.001));
  BOOST_TEST(ratio.low < 0.7);
  BOOST_TEST(ratio.high > 0.85);
  const std::string page = as_text(loops_page(one));
  BOOST_TEST(contains(page, "Intervals are for another run of 3 processes."), page);
  BOOST_TEST(!contains(page, "this process"), page);
}

BOOST_AUTO_TEST_CASE(intervals_of_one_process_say_so) {
  const LoopResults one = process(900, 12);
  const std::string page = as_text(loops_page(one)), words = verdict_words(one.loops.at(0));
  BOOST_TEST(contains(page, "Intervals cover only this process."), page);
  BOOST_TEST(contains(words, "0.90 [0.90, 0.90 in this process]"), words);
  BOOST_TEST((merged({one}).loops[0].measurements[0].turns[0].process == 0u));
  BOOST_TEST(verdict_words(merged({one}).loops.at(0)) == words);
}

BOOST_AUTO_TEST_CASE(turns_are_paired_within_their_process_where_an_interrupt_left_one_out) {
  LoopResults one = merged({process(900), process(900)});
  one.loops[0].measurements[0].turns.pop_back();
  const Ratio ratio = rate_ratio(one.loops[0].measurements[0], one.loops[0].measurements[1]);
  BOOST_TEST((ratio.covers == Covers::processes));
  BOOST_TEST(ratio.estimate == 0.9, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(a_contender_that_failed_in_one_process_has_failed) {
  std::vector<LoopResults> all{process(900), process(900), process(900)};
  LoopMeasurement& lost = all[1].loops[0].measurements[1];
  lost.status = LoopStatus::failed;
  lost.reason = "the result of item 7 is wrong";
  const LoopMeasurement fast = merged(all).loops.at(0).measurements.at(1);
  BOOST_TEST((fast.status == LoopStatus::failed));
  BOOST_TEST(fast.reason == "the result of item 7 is wrong");
  BOOST_TEST((merged(all).loops[0].measurements[0].status == LoopStatus::ok));
}

BOOST_AUTO_TEST_CASE(samples_are_of_every_nth_item_of_all_processes) {
  std::vector<LoopResults> all{process(900), process(900)};
  LoopMeasurement& sparse = all[1].loops[0].measurements[0];
  sparse.sampled_every = 2;
  for (LoopTurn& turn : sparse.turns) turn.told_us = {5};
  LoopMeasurement slow = merged(all).loops.at(0).measurements.at(0);
  BOOST_TEST(slow.sampled_every == 2u);
  BOOST_TEST(slow.turns.front().told_us == (std::vector<double>{4, 6}),
             boost::test_tools::per_element());
  BOOST_TEST(slow.turns.back().told_us == std::vector<double>{5}, boost::test_tools::per_element());
  BOOST_TEST(merged({all[1], all[0]}).loops[0].measurements[0].turns.back().told_us ==
                 (std::vector<double>{4, 6}),
             boost::test_tools::per_element());

  LoopTurn& many = all[0].loops[0].measurements[0].turns.front();
  many.items = many.told_us.size();
  many.told_us.assign(most_samples, 3);
  slow = merged(all).loops.at(0).measurements.at(0);
  BOOST_TEST(slow.sampled_every == 2u);
  all[1] = all[0];
  slow = merged(all).loops.at(0).measurements.at(0);
  BOOST_TEST(slow.sampled_every == 4u);
  BOOST_TEST(slow.turns.front().told_us.size() == most_samples / 4);
}

BOOST_AUTO_TEST_CASE(a_loop_that_one_process_did_not_reach_has_fewer) {
  std::vector<LoopResults> all{process(900), process(900)};
  all[1].loops.push_back(all[1].loops.front());
  const LoopResults one = merged(all);
  BOOST_TEST_REQUIRE(one.loops.size() == 2u);
  BOOST_TEST(one.loops[1].measurements[0].turns.size() == 3u);
  BOOST_TEST(one.loops[1].measurements[0].turns[0].process.value() == 1u);
  all[1].loops[0].measurements[0].teller = "other";
  BOOST_CHECK_THROW(merged(all), std::invalid_argument);
  BOOST_CHECK_THROW(merged({}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
