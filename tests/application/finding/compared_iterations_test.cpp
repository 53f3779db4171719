// Iterations compared with those before: the same calls, and values that vary.
#include "common/application/finding/call_fingerprint.hpp"

#include "common/application/finding/digest.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(same_calls)

std::vector<ObservedCall> known() {
  return {
      {.kind = CallKind::copy, .function = 1, .stream = 1, .destination = 100, .bytes = 4},
      {.kind = CallKind::record_event, .function = 2, .stream = 1, .event = 7},
      {.kind = CallKind::wait_event, .function = 3, .stream = 2, .event = 7},
      {.kind = CallKind::kernel, .function = 4, .stream = 2, .launch = {.function = 10}},
  };
}

/// Returns how many calls from the beginning on are the same.
std::size_t same(const std::vector<ObservedCall>& calls) {
  SameCalls check(known());
  std::size_t count = 0;
  while (count < calls.size() && check.next(calls[count])) ++count;
  return count;
}

BOOST_AUTO_TEST_CASE(addresses_and_events_may_be_others) {
  std::vector<ObservedCall> calls = known();
  calls[0].destination = 200;
  calls[1].event = calls[2].event = 8;
  BOOST_TEST(same(calls) == 4u);
  calls.push_back(calls.back());
  BOOST_TEST(same(calls) == 4u);
}

BOOST_AUTO_TEST_CASE(functions_streams_kernels_and_the_order_of_events_may_not) {
  std::vector<ObservedCall> calls = known();
  calls[3].launch.grid[0] = 2;
  BOOST_TEST(same(calls) == 3u);
  calls[3].launch = {.function = 11};
  BOOST_TEST(same(calls) == 3u);
  calls[2].event = 8;
  BOOST_TEST(same(calls) == 2u);
  calls[1].stream = 2;
  BOOST_TEST(same(calls) == 1u);
  calls[0].function = 5;
  BOOST_TEST(same(calls) == 0u);
}

BOOST_AUTO_TEST_CASE(the_function_that_comes_next_is_known) {
  SameCalls check(known());
  for (const std::uint32_t function : {1, 2, 3, 4}) {
    BOOST_TEST(check.expected_function() == function);
    check.next(known()[function - 1]);
  }
  BOOST_TEST(check.expected_function() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(variation)

Variation of(const std::vector<std::uint64_t>& values,
             const std::vector<std::uint64_t>& later = {}) {
  return variation_of(values, later);
}

BOOST_AUTO_TEST_CASE(a_turn_counts_only_when_it_was_seen_twice) {
  BOOST_TEST((of({}) == Variation::constant && of({4}) == Variation::constant));
  BOOST_TEST((of({4, 4, 4}) == Variation::constant));
  BOOST_TEST((of({1, 2, 1, 2, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 1, 2, 1, 1}) == Variation::changes));
  BOOST_TEST((of({1, 2, 3, 1, 2}) == Variation::changes));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 4, 5, 1, 2, 3, 4, 5}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 4, 5, 1, 2, 3, 4, 6}) == Variation::changes));
  BOOST_TEST((of({1, 1, 1, 1, 2}) == Variation::changes));
}

BOOST_AUTO_TEST_CASE(later_values_go_on_anywhere_in_the_turn) {
  BOOST_TEST((of({4, 4, 4}, {4, 4}) == Variation::constant));
  BOOST_TEST((of({4}, {4}) == Variation::constant));
  BOOST_TEST((of({4}, {5}) == Variation::changes));
  BOOST_TEST((of({4, 4, 4, 4, 4}, {5, 5, 5, 5, 5}) == Variation::changes));
  BOOST_TEST((of({4, 4, 4, 4, 4}, {4, 4, 4, 5, 4}) == Variation::changes));
  BOOST_TEST((of({1, 2, 1, 2}, {1, 2, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 1, 2}, {2, 1, 2}) == Variation::alternates));
  BOOST_TEST((of({2, 1, 2}, {1, 2, 1, 2}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}, {3, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}, {2, 1}) == Variation::changes));
  BOOST_TEST((of({1, 2, 1, 2}, {1, 3}) == Variation::changes));
  BOOST_TEST((of({1, 1, 1, 1}, {1, 2, 1}) == Variation::changes));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(later_iterations)

/// Makes a copy, a kernel and a wait; `half` is where they read.
void run_once(FakeApplication& app, std::uint64_t half) {
  app.copy(Driver::copy_in, device_in + half, pinned_in, 4096);
  app.launch(10, {device_out, device_in + half, 0, 0, 3, 0});
  app.synchronize();
}

/// Continues until only the ends of iterations are watched.
void watch(ReadyApplication& app) {
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

BOOST_AUTO_TEST_CASE(what_only_the_traced_iterations_change_varies) {
  ReadyApplication app;
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
    ReadyApplication app;
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
  ReadyApplication app(0, {.range = {}, .with_data = true});
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
  ReadyApplication app(0, {.range = {}, .with_data = true});
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
  ReadyApplication app(0, {.application = "./app --fast", .range = {}});
  BOOST_TEST(app.recorder.recording().application == "./app --fast");
  watch(app);
  BOOST_TEST(app.recorder.recording().application == "./app --fast");
}

BOOST_AUTO_TEST_SUITE_END()
