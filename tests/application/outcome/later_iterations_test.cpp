// What later iterations leave of a replay's answer.
#include "common/application/outcome/later_iterations.hpp"

#include <boost/test/unit_test.hpp>

#include "common/analysis/verdict/verdict.hpp"
#include "common/application/outcome/replay_page.hpp"
#include "common/application/stretches/stretches.hpp"
#include "common/results/files/results_io.hpp"
#include "common/results/find.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/outcome/made_up_replay.hpp"
#include "tests/text/mentions.hpp"

using namespace trilane;

namespace {

Measurement graph(double wall_us, Issuer issuer = Issuer::graph) {
  Measurement m = candidate(issuer == Issuer::graph ? "graph" : "graph_set", wall_us);
  m.plan.model.issuer = issuer;
  return m;
}

ReplayRecord record_of(std::vector<Measurement> measurements) {
  ReplayRecord record;
  record.host_us = 41;
  record.comparison = made_up_replay(std::move(measurements));
  return record;
}

/// A kernel with so many arguments that change, and a copy whose addresses do.
ApplicationRecording varying(std::size_t arguments) {
  Recorded made;
  made.kernel(Recorded::blocking, {Recorded::device}).arguments =
      std::vector<Variation>(arguments, Variation::changes);
  made.copy(Recorded::blocking, Recorded::pinned, Recorded::device).pointers =
      Variation::alternates;
  // A graph has no part in it.
  made.add(CallKind::allocate, "cuMemAlloc").pointers = Variation::changes;
  return made.recording;
}

/// The record after what was recorded in the end, as the command has it.
ReplayRecord after(const ApplicationRecording& last, ReplayRecord record) {
  add_later_iterations(last, record);
  derive(*record.comparison, "");
  return record;
}

const Measurement& measured(const ReplayRecord& record, const std::string& name) {
  return *find_variant(*record.comparison, name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(later_iterations_of_a_replay)

BOOST_AUTO_TEST_CASE(arguments_and_pointers_of_operations_are_to_be_set) {
  BOOST_TEST(values_to_set(varying(0)) == 1u);
  BOOST_TEST(values_to_set(varying(23)) == 24u);
  BOOST_TEST(values_to_set(Recorded().recording) == 0u);
}

BOOST_AUTO_TEST_CASE(a_graph_that_would_have_to_be_set_is_no_answer) {
  const ReplayRecord record = after(
      varying(23), record_of({candidate("calls", 300), graph(100), candidate("pinned", 300)}));
  BOOST_TEST(measured(record, "graph").not_set.value() == 24u);
  BOOST_TEST(!measured(record, "calls").not_set);
  BOOST_TEST(!measured(record, "pinned").not_set);
  const std::string text = on_one_line(as_text(replay_page(record)));
  BOOST_TEST(mentions(text, {"Nothing that was tried makes an iteration faster"}));
  BOOST_TEST(!mentions(text, {"Use graph"}));
  BOOST_TEST(record.comparison->advice->use == "calls");
  BOOST_REQUIRE_EQUAL(record.comparison->winners.size(), 1u);
  BOOST_TEST(record.comparison->winners.front().variant == "calls");
}

BOOST_AUTO_TEST_CASE(another_gain_is_the_answer_and_the_graph_a_bound) {
  const ReplayRecord record = after(
      varying(23), record_of({candidate("calls", 300), graph(100), candidate("pinned", 200)}));
  const std::string said = choose(*record.comparison, Times::measured).said;
  BOOST_TEST(said.starts_with("use pinned: 1.50 times as fast as the same calls"));
  BOOST_TEST(
      said.ends_with(" If 24 arguments or pointers stayed the same, which changed in later "
                     "iterations: at most 3.0 times (graph, a bound)."));
}

BOOST_AUTO_TEST_CASE(only_what_was_not_set_counts) {
  ReplayRecord before = record_of({candidate("calls", 300), graph(100, Issuer::graph_set)});
  before.values_to_set = 24;
  BOOST_TEST(!measured(after(varying(23), before), "graph_set").not_set);
  BOOST_TEST(after(varying(23), before).comparison->advice->use == "graph_set");
  before.values_to_set = 23;
  BOOST_TEST(measured(after(varying(23), before), "graph_set").not_set.value() == 1u);
  BOOST_TEST(after(varying(23), before).comparison->advice->use == "calls");
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_stays_as_it_is) {
  Measurement none = made_up("graph_set", Status::not_supported, "nothing had varied");
  none.plan.model.issuer = Issuer::graph_set;
  const ReplayRecord record =
      after(varying(3), record_of({candidate("calls", 300), graph(100), none}));
  BOOST_TEST(!measured(record, "graph_set").not_set);
  ReplayRecord refused;
  add_later_iterations(varying(3), refused);
  BOOST_TEST(!refused.comparison);
}

BOOST_AUTO_TEST_CASE(the_time_is_that_of_the_later_iterations) {
  ApplicationRecording last = varying(0);
  ReplayRecord record = record_of({candidate("calls", 300)});
  record.application_us = 290;
  add_later_iterations(last, record);
  BOOST_TEST(record.application_us.value() == 290);
  last.watched_us = {280, 270, 281};
  add_later_iterations(last, record);
  BOOST_TEST(record.application_us.value() == 280);
}

BOOST_AUTO_TEST_CASE(its_results_say_so_when_they_are_read_again) {
  Results results;
  results.comparisons = {
      *after(varying(23), record_of({candidate("calls", 300), graph(100)})).comparison};
  const Results read = from_json(to_json(results));
  BOOST_TEST(find_variant(read.comparisons.front(), "graph")->not_set.value() == 24u);
  BOOST_TEST(read.comparisons.front().advice->use == "calls");
}

BOOST_AUTO_TEST_SUITE_END()
