// Every notification mechanism on the device: nothing is lost, and no result is wrong.
#include <boost/test/unit_test.hpp>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/loop/measure_loops.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loops_on_the_device)

namespace {

constexpr Loop small{
    .name = "small", .lanes = 3, .in_bytes = 16384, .out_bytes = 4096, .kernel_us = 20};
constexpr std::uint32_t turns = 3, items = 20;

LoopComparison measured(Loop loop) {
  LoopSettings settings{.rounds = {.seconds = 0, .fewest = turns},
                        .notifications = notifications()};
  settings.turn.items = items;
  settings.turn.simulated = !simulated_profile().empty();
  return measure_loops(loop, settings);
}

void check_turn(const LoopTurn& turn, const Loop& loop) {
  BOOST_TEST(turn.items == loop.lanes * items);
  BOOST_TEST(turn.told_us.size() == loop.lanes * items);
  BOOST_TEST(turn.restart_us.size() == loop.lanes * (items - 1));
  BOOST_TEST(turn.busy_us > 0);
  BOOST_TEST(turn.busy_us <= turn.span_us * (1 + 1e-9));
  BOOST_TEST(turn.cpu_us.has_value() == simulated_profile().empty());
}

void check_measurement(const LoopMeasurement& m, const Loop& loop) {
  const auto notification = std::ranges::find(notifications(), m.teller, &NotificationEntry::name);
  BOOST_TEST_CONTEXT(m.teller << ", " << name_of(m.resubmission) << ": " << m.reason) {
    if (!simulated_profile().empty() && !notification->not_modelled.empty()) {
      BOOST_TEST((m.status == LoopStatus::not_modelled));
      return;
    }
    BOOST_TEST((m.status == LoopStatus::ok));
    // Every turn runs twice, and so does the warm-up.
    BOOST_TEST(m.checked == 2 * std::uint64_t{loop.lanes} * items * (turns + 1));
    BOOST_TEST_REQUIRE(m.turns.size() == turns);
    for (const LoopTurn& turn : m.turns) check_turn(turn, loop);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_notification_brings_back_every_item_right) {
  BOOST_TEST(notifications().size() >= 7u);
  for (const double analysis_us : {0.0, 30.0}) {
    Loop loop = small;
    loop.analysis_us = analysis_us;
    const LoopComparison comparison = measured(loop);
    BOOST_TEST(comparison.measurements.size() == 2 * notifications().size());
    for (const LoopMeasurement& m : comparison.measurements) check_measurement(m, loop);
  }
}

BOOST_AUTO_TEST_CASE(one_lane_is_enough) {
  Loop loop = small;
  loop.lanes = 1;
  for (const LoopMeasurement& m : measured(loop).measurements) check_measurement(m, loop);
}

BOOST_AUTO_TEST_SUITE_END()
