#include "common/measure/loop/results/loop_results.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <set>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loop_long_runs)

namespace {

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

}  // namespace

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
