// Every notification mechanism on the device: nothing is lost, and no result is wrong. Planted
// mistakes of a loop's order are found by verification, and by the rules of the simulated device.
#include <cuda_runtime_api.h>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/measure/gpu/stages.hpp"
#include "common/measure/loop/bench/items.hpp"
#include "common/measure/loop/bench/loop_bench.hpp"
#include "common/measure/loop/bench/notification.hpp"
#include "common/measure/loop/measure_loops.hpp"
#include "kernels/move.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(loops_on_the_device)

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

BOOST_AUTO_TEST_SUITE(loop_mistakes)

enum class ToldBy { event, word };
enum class Told { before_copy_out, after_copy_out };

/// The item's result as found by the host.
struct Found {
  Outcome when_told = Outcome::right, at_the_end = Outcome::right;
  std::vector<std::string> hazards;  ///< found by the simulated device
};

constexpr Loop one_lane{
    .name = "one", .lanes = 1, .in_bytes = 16384, .out_bytes = 4096, .kernel_us = 20, .rounds = 50};
constexpr double patience_us = 10e6;

/// An event or a word after the stream's work so far.
class Mark {
 public:
  explicit Mark(ToldBy by) : by_(by), flags_(1) {}

  void enqueue(cudaStream_t stream) {
    switch (by_) {
      case ToldBy::event: return check(cudaEventRecord(event_.get(), stream));
      case ToldBy::word:
        Operation(clear_launch(flags_.raise(0), sizeof(std::uint32_t))).enqueue(stream);
    }
  }

  void wait(cudaStream_t stream) {
    switch (by_) {
      case ToldBy::event: return check(cudaEventSynchronize(event_.get()));
      case ToldBy::word: {
        const std::vector<cudaStream_t> streams{stream};
        const std::atomic<bool> ended = false;
        Watchdog watchdog(
            streams, ended, [] { return false; }, patience_us);
        const std::uint32_t lane = 0;
        flags_.poll({&lane, 1}, watchdog);
      }
    }
  }

 private:
  ToldBy by_;
  LaneFlags flags_;
  Event event_ = make_ordering_event();
};

/// Runs an item on one lane and takes the result when notified. If the host is notified before the
/// copy out, that waits behind a gate. Throws std::runtime_error if no notification comes in 10 s.
Found take_when_told(ToldBy by, Told when) {
  const Items items(one_lane, 1);
  const PinnedBuffer in = make_pinned_buffer(one_lane.in_bytes);
  const PinnedBuffer out = make_pinned_buffer(one_lane.out_bytes);
  const Job job(workload_of(one_lane), in.get(), out.get());
  const LaneScratch scratch(job.workload, 1);
  const Stream stream = make_stream();
  Mark mark(by);
  Gate gate(patience_us / 1e6);

  items.write(0, in.get());
  std::fill_n(out.get(), one_lane.out_bytes, std::byte{});
  for (const Step& step : std::span(job.steps).first(3)) {  // copy in, memset and kernel
    operation_of(step, scratch[0]).enqueue(stream.get());
  }
  if (when == Told::before_copy_out) {
    mark.enqueue(stream.get());
    gate.close(stream.get());
  }
  operation_of(job.steps[3], scratch[0]).enqueue(stream.get());
  if (when == Told::after_copy_out) mark.enqueue(stream.get());

  mark.wait(stream.get());
  Found found{.when_told = items.take(0, out.get()), .hazards = {}};
  if (when == Told::before_copy_out) gate.open();
  check(cudaStreamSynchronize(stream.get()));
  found.at_the_end = items.check(0, out.get());
  found.hazards = take_hazards();
  return found;
}

bool is_simulated() { return !simulated_profile().empty(); }

/// The simulated device does not model a host that reads mapped memory while the device works.
boost::test_tools::assertion_result polls_memory(boost::unit_test::test_unit_id) {
  return !is_simulated();
}

void check_early(const Found& found) {
  BOOST_TEST((found.when_told != Outcome::right));
  BOOST_TEST((found.at_the_end == Outcome::right));
  if (!is_simulated()) return;
  BOOST_REQUIRE(found.hazards.size() == 1u);
  BOOST_TEST(
      found.hazards.front().starts_with("host touched: the host changed bytes while copy out"),
      found.hazards.front());
}

void check_sound(const Found& found) {
  BOOST_TEST((found.when_told == Outcome::right));
  BOOST_TEST((found.at_the_end != Outcome::right));  // it was taken
  BOOST_TEST(found.hazards.empty());
}

constexpr Loop two_lanes{
    .name = "two", .lanes = 2, .in_bytes = 16384, .out_bytes = 4096, .kernel_us = 20, .rounds = 50};
constexpr std::uint64_t this_item = 0, next_item = 2;  // of lane 0
constexpr double patience_s = 10;

struct Overtaken {
  Outcome outcome;
  std::vector<std::string> hazards;
};

/// Runs an item whose next parameters are written, or not, while its copy in is held back.
Overtaken run_item(Resubmission resubmission, bool overtaken) {
  const Items items(two_lanes, 1);
  const PinnedBuffer in = make_pinned_buffer(two_lanes.lanes * two_lanes.in_bytes);
  const PinnedBuffer out = make_pinned_buffer(two_lanes.lanes * two_lanes.out_bytes);
  const Job job(workload_of(two_lanes), in.get(), out.get());
  const LaneScratch scratch(job.workload, two_lanes.lanes);
  LaneCircuit lane(job, 0, scratch[0], resubmission);
  Gate gate(patience_s);
  gate.close(lane.stream());
  items.write(this_item, in.get());
  lane.start();
  if (overtaken) items.write(next_item, in.get());
  gate.open();
  check(cudaStreamSynchronize(lane.stream()));
  return {items.check(this_item, out.get()), take_hazards()};
}

BOOST_AUTO_TEST_CASE(an_event_before_the_copy_out_is_found) {
  check_early(take_when_told(ToldBy::event, Told::before_copy_out));
  check_sound(take_when_told(ToldBy::event, Told::after_copy_out));
}

BOOST_AUTO_TEST_CASE(a_word_before_the_copy_out_is_found,
                     *boost::unit_test::precondition(polls_memory)) {
  check_early(take_when_told(ToldBy::word, Told::before_copy_out));
  check_sound(take_when_told(ToldBy::word, Told::after_copy_out));
}

BOOST_AUTO_TEST_CASE(parameters_that_overtake_those_of_the_item_before_are_found) {
  for (const Resubmission resubmission : {Resubmission::streams, Resubmission::graph}) {
    BOOST_TEST_CONTEXT(name_of(resubmission)) {
      const Overtaken sound = run_item(resubmission, false);
      BOOST_TEST((sound.outcome == Outcome::right));
      BOOST_TEST(sound.hazards.empty());
      const Overtaken found = run_item(resubmission, true);
      BOOST_TEST((found.outcome == Outcome::other_item));
      if (!is_simulated()) continue;
      BOOST_REQUIRE(found.hazards.size() == 1u);
      BOOST_TEST(
          found.hazards.front().starts_with("host touched: the host changed bytes while copy in"),
          found.hazards.front());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
