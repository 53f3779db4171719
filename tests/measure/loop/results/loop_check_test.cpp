// The file of loops: everything written can be read, and nothing else.
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/base/text/size.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loop_check)

namespace {

LoopResults sound() {
  const LoopTurn turn{.items = 4,
                      .wall_us = 200,
                      .span_us = 100,
                      .busy_us = 80,
                      .cpu_us = 150,
                      .clock_error_us = 1,
                      .told_us = {1, -0.5, 3, 10},
                      .restart_us = {5, 7}};
  LoopTurn without_cpu = turn;
  without_cpu.cpu_us.reset();
  LoopMeasurement ok{
      .teller = "told_so", .reason = {}, .checked = 12, .turns = {turn, without_cpu}};
  LoopMeasurement failed = ok;
  failed.resubmission = Resubmission::graph;
  failed.status = LoopStatus::failed;
  failed.reason = "the result of item 7 is wrong";
  failed.turns.clear();
  return {.context = {}, .seed = 3, .loops = {{loop_presets().front(), {ok, failed}}}};
}

template <typename Change>
std::string refused(Change change) {
  LoopResults results = sound();
  change(results.loops.front());
  const std::string text = to_json(results);
  return refusal<std::invalid_argument>([&] { loops_from_json(text); });
}

template <typename Change>
std::string refused_turn(Change change) {
  return refused([&](LoopComparison& comparison) { change(comparison.measurements[0].turns[1]); });
}

const std::string first = "loop file: .loops[0].measurements[0]";

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_can_be_read) {
  const std::string text = to_json(sound());
  const LoopResults read = loops_from_json(text);
  BOOST_TEST(to_json(read) == text);
  BOOST_REQUIRE(read.loops.size() == 1u);
  BOOST_TEST((read.loops[0].loop == loop_presets().front()));
  BOOST_REQUIRE(read.loops[0].measurements.size() == 2u);
  const LoopMeasurement& ok = read.loops[0].measurements[0];
  BOOST_TEST((ok.turns == sound().loops[0].measurements[0].turns));
  BOOST_TEST((read.loops[0].measurements[1].status == LoopStatus::failed));
}

BOOST_AUTO_TEST_CASE(samples_are_rounded_to_the_nanosecond) {
  LoopComparison comparison = sound().loops[0];
  LoopTurn& turn = comparison.measurements[0].turns[1];
  turn.told_us = {1.00049, 1.00051};
  turn.restart_us = {-0.00051};
  round_to_nanoseconds(comparison);
  BOOST_TEST(turn.told_us == (std::vector{1.0, 1.001}), boost::test_tools::per_element());
  BOOST_TEST(turn.restart_us == std::vector{-0.001}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_loop_is_one_that_options_can_ask_for) {
  BOOST_TEST(refused([](LoopComparison&) {}) == "(not refused)");
  BOOST_TEST(refused([](LoopComparison& c) { c.loop.lanes = 0; }) ==
             "loop file: .loops[0].loop.lanes is 0 and must be from 1 to 1024");
  BOOST_TEST(refused([](LoopComparison& c) { c.loop.lanes = 1025; }) ==
             "loop file: .loops[0].loop.lanes is 1025 and must be from 1 to 1024");
  BOOST_TEST(refused([](LoopComparison& c) { c.loop.in_bytes = max_size; }) ==
             "loop file: .loops[0].loop.in_bytes is 1152921504606846976, too much for 2 lanes");
  BOOST_TEST(refused([](LoopComparison& c) { c.loop.out_bytes = 6; }) ==
             "loop file: .loops[0].loop has results of 6 bytes");
  BOOST_TEST(refused([](LoopComparison& c) { c.loop.rounds = 0; }) ==
             "loop file: .loops[0].loop has 0 rounds");
}

BOOST_AUTO_TEST_CASE(a_turn_fits_itself) {
  const std::string turn = first + ".turns[1]";
  BOOST_TEST(refused_turn([](LoopTurn& t) { t.turns = 0; }) == turn + ".turns is 0");
  BOOST_TEST(refused_turn([](LoopTurn& t) { t.items = 0; }) == turn + ".items is 0");
  BOOST_TEST(contains(refused_turn([](LoopTurn& t) { t.wall_us = 0; }),
                      turn + ".wall_us is 0 and must be from 0.001"));
  BOOST_TEST(contains(refused_turn([](LoopTurn& t) { t.span_us = 1e-300; }),
                      turn + ".span_us is 1e-300 and must be from 0.001"));
  BOOST_TEST(refused_turn([](LoopTurn& t) { t.busy_us = 101; }) ==
             turn + ".busy_us is 101, above span_us, 100");
  BOOST_TEST(refused_turn([](LoopTurn& t) { t.items = 3; }) ==
             turn + ".told_us has 4 entries, and there are 3 items");
  BOOST_TEST(refused_turn([](LoopTurn& t) { t.restart_us.resize(5); }) ==
             turn + ".restart_us has 5 entries, and there are 4 items");
  BOOST_TEST(contains(refused_turn([](LoopTurn& t) { t.cpu_us = -1; }), turn + ".cpu_us is -1"));
}

BOOST_AUTO_TEST_CASE(a_measurement_has_samples_and_is_there_once) {
  BOOST_TEST(refused([](LoopComparison& c) { c.measurements[0].teller.clear(); }) ==
             first + ".teller is empty");
  BOOST_TEST(refused([](LoopComparison& c) { c.measurements[0].sampled_every = 0; }) ==
             first + ".sampled_every is 0");
  BOOST_TEST(refused([](LoopComparison& c) { c.measurements[0].checked = 3; }) ==
             first + ".turns[0].items is 4, and 3 were checked");
  BOOST_TEST(refused([](LoopComparison& c) {
               for (LoopTurn& turn : c.measurements[0].turns) turn.told_us.clear();
             }) == first + ".turns have no entry in told_us");
  BOOST_TEST(refused([](LoopComparison& c) {
               c.measurements[1].resubmission = Resubmission::streams;
             }) == "loop file: .loops[0].measurements[1] is of told_so, streams, as before");
}

BOOST_AUTO_TEST_CASE(what_is_no_loop_file_is_refused_with_the_place) {
  std::string text = to_json(sound());
  text.replace(text.find("trilane-loops"), 13, "trilane-other");
  BOOST_TEST(contains(refusal<std::invalid_argument>([&] { loops_from_json(text); }),
                      R"(loop file: .schema is "trilane-other", not "trilane-loops")"));
  BOOST_TEST(contains(refusal<std::invalid_argument>([] { loops_from_json("{"); }),
                      "loop file: byte 1 is not JSON"));
}

BOOST_AUTO_TEST_SUITE_END()
