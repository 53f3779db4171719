// Merging loops of several processes.
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/measure/loop/results/loop_page.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/loop/results/made_up_loops.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loops_of_processes)

namespace {

/// Returns the results of a process in which "slow" gets that many items per second, and "fast"
/// 1000.
LoopResults process(double slow, std::size_t turns = 3) {
  return {.context = {},
          .seed = 7,
          .loops = {made_up_loop({{.teller = "slow", .rate = slow}, {.teller = "fast"}}, turns)}};
}

LoopResults merged(const std::vector<LoopResults>& all) { return merged_loops(all); }

}  // namespace

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
