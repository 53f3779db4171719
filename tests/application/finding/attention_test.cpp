// How closely calls are looked at while nothing repeats.
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(attention)

constexpr int enough = 400;  // segments of 101 calls, more than are looked at closely at first

/// Makes segments of 100 launches of eight kernels in any order, and a wait.
void wander(FakeApplication& app, int segments, std::minstd_rand& random,
            std::uint64_t stream = 1) {
  for (int i = 0; i < 100 * segments; ++i) {
    app.launch(20 + random() % 8, {device_out, device_in, 0, 0, 3, 0}, stream);
    if (i % 100 == 99) app.synchronize(stream);
  }
}

/// The same in an order that never repeats.
void wander(FakeApplication& app, int segments, std::uint64_t stream = 1) {
  static std::minstd_rand random;
  wander(app, segments, random, stream);
}

BOOST_AUTO_TEST_CASE(calls_that_never_repeat_are_soon_only_glanced_at) {
  ReadyApplication app;
  wander(app, enough / 2);
  BOOST_TEST(!app.recorder.glances());
  wander(app, enough / 2);
  BOOST_TEST(app.recorder.glances());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none));
  const std::uint64_t glanced = app.calls - 32'768;
  BOOST_TEST(
      recording.why_none.ends_with(fmt::format("; {} later calls were only glanced at", glanced)));
}

BOOST_AUTO_TEST_CASE(a_loop_behind_them_is_found_and_timed_without_what_was_missed) {
  ReadyApplication app;
  constexpr std::uint32_t first_look = 32'768, segment = 101;
  while ((first_look - app.calls) % segment != 0)
    app.launch(20, {device_out, device_in, 0, 0, 3, 0});
  wander(app, enough);  // the last call before the gap is a wait
  const std::uint64_t before = app.calls;
  app.now_us += 1e6;
  for (int i = 0; i < 30; ++i) iterate(app);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 6u);
  for (const double us : recording.iteration_us) BOOST_TEST(us == 18.0);
  BOOST_TEST(recording.calls_before >= before);
  BOOST_TEST(recording.calls_before % 6 == before % 6);
}

BOOST_AUTO_TEST_CASE(a_loop_longer_than_the_first_look_is_found) {
  ReadyApplication app;
  int turns = 0;
  for (; turns < 20 && app.stage != ListeningStage::watch; ++turns) {
    std::minstd_rand random;
    wander(app, 200, random);
  }
  BOOST_TEST(turns < 20);
  BOOST_TEST(app.recorder.recording().calls.size() == 20'200u);
}

BOOST_AUTO_TEST_CASE(streams_and_memory_are_known_though_their_calls_were_glanced_at) {
  ReadyApplication app;
  wander(app, enough);
  BOOST_REQUIRE(app.recorder.glances());
  wander(app, 1, 7);
  app.free(device_out);
  constexpr std::uint64_t later = 0x5200'0000;
  app.allocate(later, mebibyte);
  BOOST_REQUIRE(app.recorder.glances());
  const auto streams = app.recorder.live_streams();
  BOOST_TEST((std::ranges::find(streams, 7u) != streams.end()));
  std::set<std::uint64_t> live;
  for (const MemoryFacts& memory : app.recorder.live_memory()) live.insert(memory.base);
  BOOST_TEST(live.contains(later));
  BOOST_TEST(!live.contains(device_out));
}

BOOST_AUTO_TEST_CASE(calls_of_several_threads_are_always_looked_at_closely) {
  ReadyApplication app;
  wander(app, enough);
  BOOST_REQUIRE(app.recorder.glances());
  app.thread = 2;
  app.synchronize();
  BOOST_TEST(!app.recorder.glances());
  wander(app, enough);
  BOOST_TEST(!app.recorder.glances());
}

BOOST_AUTO_TEST_CASE(calls_are_looked_at_closely_while_the_iteration_is_a_range) {
  RangedApplication app;
  wander(app, enough);
  BOOST_TEST(!app.recorder.glances());
}

BOOST_AUTO_TEST_SUITE_END()
