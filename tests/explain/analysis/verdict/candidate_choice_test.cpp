// The candidates' answers of a replay: nothing in them concerns Trilane's own pipeline.
#include "common/explain/analysis/verdict/answers.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "common/explain/analysis/verdict/doubts.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/mentions.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(candidates)

namespace {

std::string said(std::vector<Measurement> measurements) {
  return choose(made_up_replay(std::move(measurements)), Times::measured).said;
}

Measurement bound(double wall_us) {
  return candidate("fewer_waits", wall_us, Chaining::recorded_one_wait);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_change_comes_with_the_share_of_the_host) {
  const std::string text =
      said({candidate("calls", 300), candidate("graph", 100), candidate("pinned", 200)});
  BOOST_TEST(text.starts_with("use graph: 3.0 times as fast as the same calls [2.9"));
  BOOST_TEST(text.ends_with(
      ", 100 instead of 300 us an iteration. Your host code stays as it is and takes 41.0 us of an "
      "iteration (41%)."));
}

BOOST_AUTO_TEST_CASE(without_a_gain_the_calls_stay) {
  const std::string text = said({candidate("calls", 300), candidate("graph", 310)});
  BOOST_TEST(text ==
             "nothing that was tried makes an iteration faster than the same calls, 300 us. Your "
             "host code stays as it is and takes 41.0 us of an iteration (14%).");
}

BOOST_AUTO_TEST_CASE(a_bound_is_no_winner_and_is_called_one) {
  const Comparison comparison =
      made_up_replay({candidate("calls", 300), candidate("graph", 100), bound(50)});
  BOOST_REQUIRE_EQUAL(comparison.winners.size(), 1u);
  BOOST_TEST(comparison.winners.front().variant == "graph");
  BOOST_REQUIRE(comparison.advice);
  BOOST_TEST(comparison.advice->use == "graph");
  const std::string text = choose(comparison, Times::measured).said;
  BOOST_TEST(text.ends_with(
      " With only the last of the host's waits: at most 6.0 times (fewer_waits, a bound)."));
  const std::string none = said({candidate("calls", 300), bound(50)});
  BOOST_TEST(none.starts_with("nothing that was tried"));
  BOOST_TEST(mentions(none, {"at most 6.0 times"}));
}

BOOST_AUTO_TEST_CASE(a_bound_that_allows_no_more_is_not_mentioned) {
  BOOST_TEST(
      !mentions(said({candidate("calls", 300), candidate("graph", 100), bound(100)}), {"at most"}));
}

BOOST_AUTO_TEST_CASE(calls_that_fail_give_no_answer) {
  Measurement calls = candidate("calls", 300);
  calls.status = Status::failed;
  calls.message = "wrong data";
  BOOST_TEST(said({calls, candidate("graph", 100)}) ==
             "the same calls could not be replayed: wrong data.");
  BOOST_TEST(said({}) == "the same calls could not be replayed: they were not measured.");
}

BOOST_AUTO_TEST_CASE(every_candidate_is_a_question) {
  Measurement pool = made_up("pool", Status::not_supported, "it does not allocate");
  Measurement failed = made_up("graph_set", Status::failed, "byte 7");
  const Comparison comparison = made_up_replay({candidate("calls", 300), candidate("graph", 100),
                                                failed, candidate("pinned", 300), pool, bound(50)});
  const std::vector<Answer> answers = answers_to({&comparison, 1});
  const std::vector<std::pair<std::string, std::string>> expected{
      {"Graph?", "Yes: 3.0x; an iteration takes 200 us less."},
      {"Graph set?", "Failed: byte 7."},
      {"Pinned?", "No: no difference."},
      {"Pool?", "Does not apply: it does not allocate."},
      {"Fewer waits?", "At most 6.0x: a bound, because the host may need what it waits for."}};
  BOOST_REQUIRE_EQUAL(answers.size(), expected.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    BOOST_TEST(answers[i].question == expected[i].first);
    BOOST_TEST(answers[i].text == expected[i].second);
  }
}

BOOST_AUTO_TEST_CASE(one_process_is_a_doubt_that_several_take_away) {
  Results results;
  results.comparisons = {made_up_replay({candidate("calls", 300), candidate("graph", 100)})};
  const std::vector<std::string> doubts = doubts_about(results);
  BOOST_REQUIRE_EQUAL(doubts.size(), 1u);
  BOOST_TEST(mentions(doubts.front(), {"Intervals cover this process", "--processes"}));
  results.comparisons.front().processes = 2;
  BOOST_TEST(doubts_about(results).empty());
}

BOOST_AUTO_TEST_SUITE_END()
