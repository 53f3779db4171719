// Ranges that the user names.
#include "common/application/iteration/recording_file.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(ranged_application)

/// Traces the range once.
void trace_one(RangedApplication& app) {
  app.begin("step");
  app.trace();
  for (int i = 0; i < 3; ++i) app.launch(10, {device_out, device_in, 0, 0, 0, 0});
  app.end();
}

BOOST_AUTO_TEST_CASE(a_range_is_the_iteration_that_the_user_names) {
  RangedApplication app(0);
  for (int i = 0; i < 20; ++i) {
    app.launch(12, {});  // outside
    app.step(3);
    app.synchronize();
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.ending_function() == 0u);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::range && recording.range == "step"));
  BOOST_TEST((recording.calls.size() == 3u && recording.recorded == 5u));
  BOOST_TEST(recording.iterations == 20u);
  BOOST_TEST(recording.calls_before == 7u);
  BOOST_TEST(recording.watched_us.size() == 10u);
  BOOST_TEST(recording.iteration_us.front() == 9);
  BOOST_TEST(recording.why_none.empty());
}

BOOST_AUTO_TEST_CASE(the_beginning_of_a_range_can_be_told_from_that_of_others) {
  RangedApplication app(12);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  app.begin("step");
  BOOST_TEST(app.recorder.at_iteration_begin());
  app.begin("step");
  BOOST_TEST(!app.recorder.at_iteration_begin());
  app.end();
  app.end();
}

BOOST_AUTO_TEST_CASE(only_the_end_of_the_range_ends_an_iteration) {
  RangedApplication app(0);
  app.step(3);
  BOOST_TEST(!app.recorder.at_iteration_end());  // about which nothing is known yet
  for (int i = 0; i < 11; ++i) app.step(3);
  BOOST_TEST(app.recorder.at_iteration_end());
  app.begin("step");
  app.begin("inner");
  app.end();
  BOOST_TEST(!app.recorder.at_iteration_end());
  app.end();
  BOOST_TEST(app.recorder.at_iteration_end());
  app.watches_only = false;
  app.launch(10, {device_out, device_in, 0, 0, 0, 0});
  BOOST_TEST(!app.recorder.at_iteration_end());
}

BOOST_AUTO_TEST_CASE(ranges_that_differ_are_told) {
  RangedApplication app(0);
  for (int i = 0; i < 8; ++i) app.step(2 + i % 2);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::range && recording.recorded == 1u));
  BOOST_REQUIRE(recording.broken.has_value());
  BOOST_TEST((recording.broken->at == 2u && recording.broken->repeats == 1u));
  BOOST_TEST(recording.broken->expected == "the end of the range");
  const std::string text = recording_to_json(recording);
  BOOST_TEST(recording_to_json(recording_from_json(text)) == text);
  BOOST_TEST(recording.why_none == "the ranges hold different calls, first at call 2");
  RangedApplication empty;
  empty.step(0);
  BOOST_TEST(empty.recorder.recording().why_none == "the range holds no calls to the driver");
  RangedApplication unfinished;
  unfinished.begin("step");
  set_up(unfinished);
  BOOST_TEST(unfinished.recorder.recording().why_none == "the range did not end");
  unfinished.end();  // open ranges belong to their thread
  RangedApplication unbegun(0);
  unbegun.end();
  BOOST_TEST(unbegun.recorder.recording().iterations == 0u);
  RangedApplication large;
  large.step(610'000);
  BOOST_TEST(large.recorder.recording().why_none == "the range holds more calls than are kept");
}

BOOST_AUTO_TEST_CASE(a_range_that_changes_early_is_left) {
  RangedApplication app(7);
  app.step(4);
  BOOST_TEST((app.stage == ListeningStage::search));
  for (int i = 0; i < 10; ++i) app.step(4);
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.recording().calls.size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_range_is_traced_from_its_beginning) {
  RangedApplication app(12);
  trace_one(app);
  BOOST_TEST((app.stage == ListeningStage::trace));
  for (int i = 0; i < 5; ++i) {
    app.launch(12, {});  // outside
    app.step(3);
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.recorded == 5u && recording.calls.size() == 3u));
  BOOST_TEST(recording.why_none.empty());
}

BOOST_AUTO_TEST_CASE(a_range_that_changes_while_traced_is_not_left) {
  RangedApplication app(12);
  trace_one(app);
  app.launch(12, {});  // outside
  app.step(4);
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.broken.has_value());
  BOOST_TEST((recording.broken->at == 3u && recording.broken->calls == 3u));
  BOOST_TEST(recording.broken->expected == "the end of the range");
  BOOST_TEST(recording_from_json(recording_to_json(recording)).broken->at == 3u);
  BOOST_TEST(recording.calls.size() == 3u);
  BOOST_TEST(recording.why_none.find("changed while it was analysed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_range_that_does_not_come_again_is_not_traced_for_ever) {
  RangedApplication app(12);
  trace_one(app);
  for (int i = 0; i < 590'000; ++i) app.launch(12, {});
  BOOST_TEST((app.stage == ListeningStage::trace));
  for (int i = 0; i < 20'000; ++i) app.launch(12, {});
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::range && recording.calls.size() == 3u));
}

BOOST_AUTO_TEST_CASE(one_thread_has_the_range) {
  RangedApplication app(0);
  app.step(3);
  std::thread([&] { app.step(5); }).join();
  app.step(3);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.calls.size() == 3u && recording.recorded == 2u));
}

BOOST_AUTO_TEST_SUITE_END()
