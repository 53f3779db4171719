// Values that vary only in iterations far from the first ones.
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/application/finding/fake_application.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(later_iterations)

namespace {

/// Makes a copy, a kernel and a wait; `half` is where they read.
void run_once(FakeApplication& app, std::uint64_t half) {
  app.copy(Driver::copy_in, device_in + half, pinned_in, 4096);
  app.launch(10, {device_out, device_in + half, 0, 0, 3, 0});
  app.synchronize();
}

/// Continues until only the ends of iterations are watched.
void watch(FakeApplication& app) {
  set_up(app);
  for (int i = 0; i < 10; ++i) run_once(app, 0);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
}

const std::vector<Variation> all_constant(4, Variation::constant);
const std::vector<Variation> pointer_changes{Variation::constant, Variation::changes,
                                             Variation::constant, Variation::constant};

/// Returns what a replay hands over: the latest iteration, with other arguments.
ObservedIteration another(const FakeApplication& app, FakeArguments arguments) {
  ObservedIteration iteration;
  iteration.calls = app.recorder.latest()->calls;
  auto& own = iteration.arguments.emplace_back(new std::byte[sizeof arguments]);
  std::memcpy(own.get(), &arguments, sizeof arguments);
  iteration.calls.at(1).launch.arguments = {own.get(), sizeof arguments};
  return iteration;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_only_the_traced_iterations_change_varies) {
  FakeApplication app;
  watch(app);
  for (int i = 0; i < 100; ++i) run_once(app, 0);
  BOOST_TEST((app.recorder.recording().calls[1].arguments == all_constant));
  app.trace();
  for (int i = 0; i < 6; ++i) run_once(app, 4096);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_TEST((recording.calls[1].arguments == pointer_changes));
  BOOST_TEST((recording.calls[2].pointers == Variation::constant));
}

BOOST_AUTO_TEST_CASE(a_turn_goes_on_after_iterations_that_were_not_seen) {
  for (const std::uint32_t unseen : {20u, 21u}) {
    FakeApplication app;
    set_up(app);
    std::uint32_t turn = 0;
    for (std::uint32_t i = 0; i < 10 + unseen; ++i) run_once(app, turn++ % 2 * 4096);
    app.trace();
    for (int i = 0; i < 6; ++i) run_once(app, turn++ % 2 * 4096);
    const ApplicationRecording recording = app.recorder.recording();
    BOOST_TEST((recording.calls[0].pointers == Variation::alternates));
    BOOST_TEST((recording.calls[1].arguments[1] == Variation::alternates));
  }
}

BOOST_AUTO_TEST_CASE(an_iteration_that_was_taken_elsewhere_counts) {
  FakeApplication app({.range = {}, .with_data = true});
  watch(app);
  app.recorder.also_seen(another(app, {device_out, device_in, 0, 0, 3, 0}));
  BOOST_TEST((app.recorder.recording().calls[1].arguments == all_constant));
  BOOST_TEST(app.recorder.recording().data->values.size() == 1u);  // the structure is too large
  ObservedIteration moved = another(app, {device_out, device_in + 64, 1, 0, 3, 0});
  moved.calls[0].source += 64;
  app.recorder.also_seen(moved);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_TEST((recording.calls[1].arguments[0] == Variation::constant));
  BOOST_TEST((recording.calls[1].arguments[1] == Variation::changes));
  BOOST_TEST((recording.calls[1].arguments[2] == Variation::changes));
  BOOST_TEST(recording.data->values.empty());
}

BOOST_AUTO_TEST_CASE(what_has_varied_once_varies_after_the_trace) {
  FakeApplication app({.range = {}, .with_data = true});
  watch(app);
  app.recorder.also_seen(another(app, {device_out, device_in + 64, 1, 0, 3, 0}));
  for (int i = 0; i < 20; ++i) run_once(app, 0);
  app.trace();
  for (int i = 0; i < 3; ++i) run_once(app, 0);
  const ApplicationRecording half_way = app.recorder.recording();
  BOOST_TEST((half_way.calls[1].arguments[1] == Variation::changes));
  for (int i = 0; i < 3; ++i) run_once(app, 0);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.recorded == 5u);
  BOOST_TEST((recording.calls[1].arguments[1] == Variation::changes));
  BOOST_TEST((recording.calls[1].arguments[2] == Variation::changes));
  BOOST_TEST((recording.calls[1].arguments[3] == Variation::constant));
  BOOST_TEST(recording.data->values.empty());
}

BOOST_AUTO_TEST_CASE(a_recording_has_the_applications_name) {
  FakeApplication app({.application = "./app --fast", .range = {}});
  BOOST_TEST(app.recorder.recording().application == "./app --fast");
  watch(app);
  BOOST_TEST(app.recorder.recording().application == "./app --fast");
}

BOOST_AUTO_TEST_SUITE_END()
