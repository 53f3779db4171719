// The closed loop on the simulated device: nothing is lost, and planted mistakes are found.
#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/loop/measure_loops.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(loops_on_the_simulated_device)

namespace {

constexpr Loop small{
    .name = "small", .lanes = 3, .in_bytes = 1024, .out_bytes = 256, .kernel_us = 5, .rounds = 9};

LoopSettings settings(std::vector<NotificationEntry> all) {
  LoopSettings some{.rounds = {.seconds = 0, .fewest = 2}, .notifications = std::move(all)};
  some.turn = {.items = 7, .patience_us = 100e3, .simulated = true};
  return some;
}

/// A notification mechanism with a mistake: `next` does something and returns the first lane.
class Planted : public Notification {
 public:
  using Next = std::function<void(std::span<const std::uint32_t>, Watchdog&)>;
  explicit Planted(Next next) : Notification({}), next_(std::move(next)) {}
  void mark(std::uint32_t) override {}
  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    next_(lanes, watchdog);
    return lanes.front();
  }

 private:
  Next next_;
};

NotificationEntry planted(const Planted::Next& next) {
  return {.name = "planted", .make = [next](const std::vector<cudaStream_t>&) {
            return std::make_unique<Planted>(next);
          }};
}

/// Waits for something that never comes.
void never_told(std::span<const std::uint32_t> lanes, Watchdog& watchdog) {
  for (;; watchdog.look(lanes)) spend_us(1000);
}

LoopMeasurement measured(const NotificationEntry& notification) {
  start_simulation({});
  LoopSettings one = settings({notification});
  one.resubmissions = {Resubmission::streams};
  return measure_loops(small, one).measurements.front();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_item_comes_back_right_and_in_order) {
  start_simulation({});
  const LoopComparison comparison = measure_loops(small, settings(notifications()));
  BOOST_TEST(comparison.measurements.size() == 2 * notifications().size());
  for (const LoopMeasurement& m : comparison.measurements) {
    BOOST_TEST_CONTEXT(m.teller << ", " << name_of(m.resubmission) << ": " << m.reason) {
      const auto notification =
          std::ranges::find(notifications(), m.teller, &NotificationEntry::name);
      const bool modelled = notification->not_modelled.empty();
      BOOST_TEST((m.status == (modelled ? LoopStatus::ok : LoopStatus::not_modelled)));
      BOOST_TEST(m.turns.size() == (modelled ? 2u : 0u));
      for (const LoopTurn& turn : m.turns) {
        BOOST_TEST(turn.items == 21u);
        BOOST_TEST(turn.told_us.size() == 21u);
        BOOST_TEST(turn.restart_us.size() == 18u);
        BOOST_TEST(turn.busy_us <= turn.span_us);
        BOOST_TEST(!turn.cpu_us.has_value());
        // The simulated host knows nothing before it happened.
        for (const double us : turn.told_us) BOOST_TEST(us > -turn.clock_error_us);
        for (const double us : turn.restart_us) BOOST_TEST(us > 0);
      }
    }
  }
  BOOST_TEST(take_hazards().empty());
}

BOOST_AUTO_TEST_CASE(analysis_keeps_the_lane_waiting) {
  start_simulation({});
  Loop slow = small;
  slow.lanes = 1;
  slow.analysis_us = 5000;
  const LoopComparison comparison = measure_loops(slow, settings({notifications().front()}));
  for (const LoopTurn& turn : comparison.measurements.front().turns) {
    for (const double us : turn.restart_us) BOOST_TEST(us > 5000);
  }
}

BOOST_AUTO_TEST_CASE(a_result_that_is_read_before_the_host_is_told_is_found) {
  const LoopMeasurement m = measured(planted([](auto, Watchdog&) {}));
  BOOST_TEST((m.status == LoopStatus::failed));
  BOOST_TEST(m.reason.find("the result of item") != std::string::npos, m.reason);
  BOOST_TEST(m.turns.empty());
}

BOOST_AUTO_TEST_CASE(a_hazard_fails_a_turn_in_which_every_result_is_right) {
  const auto waits = [](bool reports) {
    return planted([reports](auto, Watchdog&) {
      check(cudaDeviceSynchronize());
      if (reports) simulator::Locked()->hazards.report(simulator::Hazard::unordered, "two copies");
    });
  };
  BOOST_TEST((measured(waits(false)).status == LoopStatus::ok));
  const LoopMeasurement m = measured(waits(true));
  BOOST_TEST((m.status == LoopStatus::failed));
  BOOST_TEST(m.reason == "unordered: two copies");
}

BOOST_AUTO_TEST_CASE(the_watchdog_ends_a_loop_that_nothing_tells) {
  const LoopMeasurement m = measured(planted(never_told));
  BOOST_TEST((m.status == LoopStatus::failed));
  BOOST_TEST(m.reason.starts_with("the host was not notified of any lane for 0.1"), m.reason);
  BOOST_TEST(m.reason.ends_with("3 of the 3 lanes that it waits for are done"), m.reason);
}

BOOST_AUTO_TEST_CASE(the_watchdog_ends_a_loop_with_the_device_s_error) {
  const LoopMeasurement m = measured(planted([](auto lanes, Watchdog& watchdog) {
    simulator::Locked()->lose(cudaErrorIllegalAddress);
    never_told(lanes, watchdog);
  }));
  BOOST_TEST((m.status == LoopStatus::failed));
  BOOST_TEST(m.reason.find("cudaErrorIllegalAddress") != std::string::npos, m.reason);
  start_simulation({});
}

BOOST_AUTO_TEST_CASE(a_contender_s_hazards_are_not_laid_at_the_door_of_the_next) {
  start_simulation({});
  const LoopComparison comparison =
      measure_loops(small, settings({planted([](auto, Watchdog&) {}), notifications().front()}));
  const auto& all = comparison.measurements;
  BOOST_TEST_REQUIRE(all.size() == 4u);
  for (const std::size_t early : {0, 1}) BOOST_TEST((all[early].status == LoopStatus::failed));
  for (const std::size_t sound : {2, 3}) {
    BOOST_TEST((all[sound].status == LoopStatus::ok), all[sound].reason);
  }
}

BOOST_AUTO_TEST_CASE(what_was_measured_before_the_device_was_lost_stays) {
  start_simulation({});
  int items = 0;
  const NotificationEntry loses = planted([&](auto, Watchdog&) {
    check(cudaDeviceSynchronize());
    if (++items == 92) simulator::Locked()->lose(cudaErrorIllegalAddress);  // in the third round
  });
  LoopSettings both = settings({loses, notifications().front()});
  both.resubmissions = {Resubmission::streams};
  const LoopComparison comparison = measure_loops(small, both);
  const LoopMeasurement &lost = comparison.measurements[0], &other = comparison.measurements[1];
  BOOST_TEST((lost.status == LoopStatus::failed));
  BOOST_TEST(lost.checked == 84u);
  BOOST_TEST((other.status == LoopStatus::ok), other.reason);
  BOOST_TEST(other.turns.size() >= 1u);
  start_simulation({});
}

BOOST_AUTO_TEST_SUITE_END()
