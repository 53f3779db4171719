// The file of loops: everything written can be read, and nothing else; and what long runs keep.
#include "common/measure/loop/results/loop_results.hpp"
#include "common/base/text/size.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(loop_results)

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

/// Returns turn number `n` of 8 items, whose samples are all different.
LoopTurn turn(std::uint32_t n) {
  LoopTurn turn{.items = 8,
                .wall_us = 100.0 + n,
                .span_us = 90,
                .busy_us = 80,
                .cpu_us = 50,
                .clock_error_us = n == 77 ? 9.0 : 1.0,
                .told_us = {},
                .restart_us = {}};
  for (int i = 0; i < 8; ++i) turn.told_us.push_back(n * 8 + i);
  for (int i = 0; i < 6; ++i) turn.restart_us.push_back(-1.0 * n * 6 - i);
  return turn;
}

LoopMeasurement after(std::uint32_t turns) {
  LoopMeasurement m;
  for (std::uint32_t n = 0; n < turns; ++n) add_turn(m, turn(n));
  return m;
}

template <typename Value>
double total(const LoopMeasurement& m, Value value) {
  double sum = 0;
  for (const LoopTurn& turn : m.turns) sum += static_cast<double>(value(turn));
  return sum;
}

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

BOOST_AUTO_TEST_CASE(a_short_run_keeps_everything) {
  const LoopMeasurement m = after(most_turns);
  BOOST_TEST(m.sampled_every == 1u);
  BOOST_TEST_REQUIRE(m.turns.size() == most_turns);
  for (std::uint32_t n = 0; n < most_turns; ++n) BOOST_TEST((m.turns[n] == turn(n)));
}

BOOST_AUTO_TEST_CASE(a_long_run_keeps_all_totals) {
  for (const std::uint32_t turns : {501u, 502u, 1000u, 1003u, 4999u, 12'345u}) {
    const LoopMeasurement m = after(turns);
    BOOST_TEST_CONTEXT(turns << " turns, " << m.turns.size() << " records") {
      BOOST_TEST(m.turns.size() <= most_turns);
      BOOST_TEST(m.turns.size() >= most_turns / 2);
      const double count = turns;
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.turns; }) == count);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.items; }) == 8 * count);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.wall_us; }) ==
                 100 * count + count * (count - 1) / 2);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.span_us; }) == 90 * count);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.busy_us; }) == 80 * count);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return *t.cpu_us; }) == 50 * count);
      BOOST_TEST(total(m, [](const LoopTurn& t) { return t.clock_error_us == 9; }) == 1);
      for (std::size_t i = 0; i + 1 < m.turns.size(); ++i) {
        BOOST_TEST(m.turns[i].turns == m.turns.front().turns);
        BOOST_TEST(m.turns[i].told_us.front() < m.turns[i + 1].told_us.front());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_long_run_keeps_samples_from_all_of_it) {
  const std::uint32_t turns = 20'000;
  const LoopMeasurement m = after(turns);
  std::vector<double> told;
  for (const LoopTurn& t : m.turns) told.insert(told.end(), t.told_us.begin(), t.told_us.end());
  BOOST_TEST(told.size() <= most_samples);
  BOOST_TEST(told.size() >= most_samples / 4);
  BOOST_TEST(told.size() * m.sampled_every / (8.0 * turns) == 1,
             boost::test_tools::tolerance(0.05));
  BOOST_TEST(std::set<double>(told.begin(), told.end()).size() == told.size());
  // As many of the first quarter as of the last, and not always the same item of a turn.
  const auto early = std::ranges::count_if(told, [](double n) { return n < 2 * turns; });
  const auto late = std::ranges::count_if(told, [](double n) { return n >= 6 * turns; });
  BOOST_TEST(static_cast<double>(early) / static_cast<double>(late) == 1,
             boost::test_tools::tolerance(0.1));
  for (int item = 0; item < 8; ++item) {
    const auto of_item =
        std::ranges::count_if(told, [&](double n) { return std::fmod(n, 8) == item; });
    BOOST_TEST(of_item > static_cast<int>(told.size() / 16), "item " << item);
  }
}

BOOST_AUTO_TEST_CASE(processor_time_of_some_turns_is_none_of_all) {
  LoopMeasurement m;
  for (std::uint32_t n = 0; n <= most_turns; ++n) {
    add_turn(m, turn(n));
    if (n == 0) m.turns.back().cpu_us.reset();
  }
  BOOST_TEST(!m.turns.front().cpu_us.has_value());
  BOOST_TEST(m.turns[1].cpu_us.value() == 100);
}

BOOST_AUTO_TEST_SUITE_END()
