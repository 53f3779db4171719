// Call stacks are asked for in one iteration, and belong to its calls.
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(call_stacks)

/// The stacks of six calls; the second and the fifth are made in one place.
std::vector<ObservedStack> six_stacks() {
  static const RecordedFrame main{.function = "main", .line = 1};
  static const RecordedFrame inner[5]{
      {.line = 2}, {.line = 3}, {.line = 4}, {.line = 5}, {.line = 6}};
  std::vector<ObservedStack> stacks;
  for (const int place : {0, 1, 2, 3, 1, 4}) stacks.push_back({{&main, &inner[place]}});
  return stacks;
}

std::vector<std::uint32_t> lines_of(const ApplicationRecording& recording) {
  std::vector<std::uint32_t> lines;
  for (const RecordedCall& call : recording.calls) {
    BOOST_REQUIRE((recording.source && call.stack));
    const auto& frames = recording.source->stacks.at(*call.stack).frames;
    BOOST_REQUIRE(frames.size() == 2u);
    BOOST_TEST(recording.source->frames.at(frames[0]).function == "main");
    lines.push_back(recording.source->frames.at(frames[1]).line);
  }
  return lines;
}

const std::vector<std::uint32_t> right{2, 3, 4, 5, 3, 6};

BOOST_AUTO_TEST_CASE(they_are_asked_for_in_one_iteration_once_it_is_found) {
  ReadyApplication app(5);
  app.stacks = six_stacks();
  app.asked = 0;
  BOOST_TEST(app.recorder.wants_stacks());
  iterate(app);
  BOOST_TEST(!app.recorder.wants_stacks());
  for (int i = 0; i < 20; ++i) iterate(app);
  BOOST_TEST(app.asked == 6u);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((lines_of(recording) == right));
  BOOST_TEST(recording.source->frames.size() == 6u);
}

BOOST_AUTO_TEST_CASE(they_stay_when_device_times_are_taken) {
  ReadyApplication app;
  app.stacks = six_stacks();
  for (int i = 0; i < 20; ++i) iterate(app);
  app.trace();
  for (int i = 0; i < 6; ++i) iterate(app);
  BOOST_TEST(app.recorder.traced_all());
  BOOST_TEST(app.asked == 6u);
  BOOST_TEST((lines_of(app.recorder.recording()) == right));
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_is_asked_anew) {
  ReadyApplication app(5);
  app.stacks = six_stacks();
  app.asked = 0;
  iterate(app);
  app.memset(device_out, 64);
  BOOST_TEST(!app.recorder.wants_stacks());
  for (int i = 0; i < 30 && app.stage != ListeningStage::watch; ++i) iterate(app);
  BOOST_TEST(app.asked == 12u);
  BOOST_TEST((lines_of(app.recorder.recording()) == right));
}

BOOST_AUTO_TEST_CASE(an_iteration_that_is_a_range_has_them_too) {
  RangedApplication app(5);
  app.stacks = six_stacks();
  app.stacks.resize(3);
  app.asked = 0;
  app.step(3);
  BOOST_TEST(app.asked == 3u);
  for (int i = 0; i < 10; ++i) app.step(3);
  BOOST_TEST(app.asked == 3u);
  BOOST_TEST((lines_of(app.recorder.recording()) == std::vector<std::uint32_t>{2, 3, 4}));
}

BOOST_AUTO_TEST_SUITE_END()
