// Steps that repeat in kind and not in size.
#include "common/application/finding/similar_steps.hpp"

#include <bit>

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(similar_steps)

constexpr std::uint64_t calls = 5, steps_before = SimilarSteps::calls_before / calls,
                        growing = SimilarSteps::growing_calls / calls;

/// Makes a step of five calls, longer each time. Another kernel is as good for odd steps.
void grow(FakeApplication& app, std::uint64_t step) {
  app.copy(Driver::copy_in, device_in, pinned_in, 4 * (1 + step));
  app.launch(10, {device_out, device_in, 0, 0, step, 0});
  app.launch(11 + step % 2, {device_out, device_out, 0, 0, 3, 0});
  app.launch(10, {device_out, device_in, 0, 0, 3, 0});
  app.synchronize();
}

/// The same; each eighth step makes one call more.
void grow_mostly(FakeApplication& app, std::uint64_t step) {
  if (step % 8 == 7) app.memset(device_out, 4096);
  grow(app, step);
}

/// Makes steps until the recorder only watches their ends, and at most `most`. Returns their
/// number.
std::uint64_t steps_until_watched(FakeApplication& app, std::uint64_t most,
                                  void (*step)(FakeApplication&, std::uint64_t) = grow) {
  std::uint64_t made = 0;
  while (made < most && app.stage != ListeningStage::watch) step(app, made++);
  return made;
}

BOOST_AUTO_TEST_CASE(a_step_is_the_iteration_once_nothing_else_is_to_be_expected) {
  ReadyApplication app;
  const std::uint64_t made = steps_until_watched(app, 3 * steps_before);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  BOOST_TEST(made > growing);
  BOOST_TEST(made < growing + 20);
  app.trace();
  for (std::uint64_t i = 0; i < 6; ++i) grow(app, made + i);
  BOOST_TEST(app.recorder.traced_all());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::in_kind && recording.unequal));
  BOOST_REQUIRE(recording.calls.size() == calls);
  BOOST_TEST(recording.calls.back().name == "function 7");
  BOOST_TEST((*recording.unequal == UnequalSteps{.calls = 2, .others = 0}));
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_TEST((recording.calls[1].pointers == Variation::constant));
  BOOST_TEST((recording.calls[1].arguments[3] == Variation::changes));
  BOOST_TEST((recording.calls[2].arguments[0] == Variation::changes));  // of two kernels
  BOOST_TEST((recording.calls[3].arguments[3] == Variation::constant));
  BOOST_TEST(recording.recorded == 5u);
  BOOST_CHECK_NO_THROW(cross_check(recording));
}

/// Two sizes take turns, and no turn occurs three times in a row.
void take_turns(FakeApplication& app, std::uint64_t step) { grow(app, std::popcount(step) % 2); }

BOOST_AUTO_TEST_CASE(steps_that_return_are_accepted_later) {
  ReadyApplication app;
  const std::uint64_t made = steps_until_watched(app, 3 * steps_before, take_turns);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  BOOST_TEST(made > steps_before);
  BOOST_TEST(made < steps_before + 20);
  BOOST_TEST((app.recorder.recording().found == Found::in_kind));
}

BOOST_AUTO_TEST_CASE(an_exact_iteration_of_unequal_steps_comes_first) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 5'000 && app.stage != ListeningStage::watch; ++i) {
    grow(app, i % 390);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 390 * calls);
}

BOOST_AUTO_TEST_CASE(steps_with_other_calls_are_left_out) {
  ReadyApplication app;
  std::uint64_t made = steps_until_watched(app, 3 * steps_before, grow_mostly);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  app.watches_only = false;
  app.recorder.move_end();  // wherever a step is thought to begin
  app.launch(10, {device_out, device_in, 0, 0, 3, 0});
  app.trace();
  for (std::uint64_t i = 0; i < 10; ++i) grow_mostly(app, made++);
  BOOST_TEST(app.recorder.traced_all());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::in_kind && recording.unequal));
  BOOST_TEST(recording.calls.size() == calls);
  BOOST_TEST(recording.unequal->others >= 2u);
  BOOST_TEST(recording.iteration_us == std::vector<double>(5, 15),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(too_many_other_steps_in_a_row_end_it) {
  ReadyApplication app;
  std::uint64_t made = 0;
  while (made < 3 * steps_before && app.stage != ListeningStage::confirm) grow(app, made++);
  BOOST_REQUIRE((app.stage == ListeningStage::confirm));
  for (std::uint64_t i = 1; i < 18; ++i) {
    app.memset(device_in, 4 * i);
    app.synchronize();
  }
  BOOST_TEST((app.stage == ListeningStage::search));
}

BOOST_AUTO_TEST_CASE(at_the_end_fewer_calls_are_enough) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 20; ++i) grow(app, i);
  for (int i = 0; i < 4; ++i) app.copy(Driver::copy_out, pinned_out, device_out, 64);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::in_kind));
  BOOST_TEST(recording.calls.size() == calls);
  BOOST_TEST(recording.calls.front().bytes == 80u);
  BOOST_TEST((recording.recorded == 5u && recording.iterations == 5u));
  BOOST_CHECK_NO_THROW(cross_check(recording));
}

BOOST_AUTO_TEST_CASE(steps_have_launches_and_most_kernels_in_common) {
  const auto found = [](auto step) {
    ReadyApplication app;
    for (std::uint64_t i = 0; i < 20; ++i) step(app, i);
    return app.recorder.recording().found;
  };
  const auto copies = [](FakeApplication& app, std::uint64_t i) {
    app.copy(Driver::copy_in, device_in, pinned_in, 4 * (1 + i));
    app.synchronize();
  };
  BOOST_TEST((found(copies) == Found::none));
  const auto one_of_two = [](FakeApplication& app, std::uint64_t i) {
    app.launch(10, {device_out, device_in, 0, 0, 3, 0});
    app.launch(100 + i, {device_out, device_in, 0, 0, 3, 0});
    app.synchronize();
  };
  BOOST_TEST((found(one_of_two) == Found::in_kind));
  const auto one_of_three = [&](FakeApplication& app, std::uint64_t i) {
    app.launch(200 + i, {device_out, device_in, 0, 0, 3, 0});
    one_of_two(app, i);
  };
  BOOST_TEST((found(one_of_three) == Found::none));
}

BOOST_AUTO_TEST_CASE(an_exact_repetition_that_only_lacks_time_is_told) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 80; ++i) grow(app, i % 20);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none));
  BOOST_TEST(recording.why_none == "100 calls repeat 3 times, and 5 are needed");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_step_can_be_moved_to_another_wait) {
  ReadyApplication app;
  const auto step = [](FakeApplication& one, std::uint64_t i) {
    one.copy(Driver::copy_in, device_in, pinned_in, 4 * (1 + i));
    one.synchronize();
    one.launch(10, {device_out, device_in, 0, 0, 3, 0});
    one.synchronize();
  };
  const std::uint64_t made = steps_until_watched(app, 10'000, step);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  step(app, made);
  const bool with_second = app.recorder.at_iteration_end();
  app.recorder.move_end();
  step(app, made + 1);
  BOOST_TEST(app.recorder.at_iteration_end() != with_second);
  app.recorder.move_end();
  step(app, made + 2);
  BOOST_TEST(app.recorder.at_iteration_end() == with_second);
}

BOOST_AUTO_TEST_CASE(exact_iterations_have_no_end_to_move) {
  ReadyApplication app(20);
  app.recorder.move_end();
  iterate(app);
  BOOST_TEST(app.recorder.at_iteration_end());
}

BOOST_AUTO_TEST_CASE(in_kind_calls_differ_by_function_stream_and_kernel) {
  const auto launch = [](std::uint64_t kernel, std::uint32_t grid, std::uint64_t stream = 1) {
    ObservedCall call{.kind = CallKind::kernel, .function = 1, .stream = stream};
    call.launch.function = kernel;
    call.launch.grid[0] = grid;
    return call;
  };
  const std::vector<ObservedCall> known{launch(10, 4)};
  const auto same = [&](const ObservedCall& call) { return SameCalls(known, true).next(call); };
  BOOST_TEST(same(launch(10, 5)));
  BOOST_TEST(!SameCalls(known).next(launch(10, 5)));
  BOOST_TEST(!same(launch(11, 4)));
  BOOST_TEST(!same(launch(10, 4, 2)));
  BOOST_TEST(kind_fingerprint(launch(10, 4)) == kind_fingerprint(launch(11, 5)));
  BOOST_TEST(kind_fingerprint(launch(10, 4)) != kind_fingerprint(launch(10, 4, 2)));
}

BOOST_AUTO_TEST_SUITE_END()
