// Applications whose calls do not repeat because several threads make them.
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/application/finding/fake_application.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(issuing_threads)

/// Each thread has its own stream, and a loop of four calls or one without fixed sizes.
struct ThreadedApplication : ReadyApplication {
  using ReadyApplication::ReadyApplication;

  void one_call(std::uint64_t number, bool repeats) {
    thread = number;
    const std::uint64_t bytes = repeats ? 4096 : 4 * (1 + random() % 100'000);
    switch (made[number]++ % 4) {
      case 0: return copy(Driver::copy_in, device_in, pinned_in, bytes, number);
      case 1: return launch(10, {device_out, device_in, 0, 0, 3, 0}, number);
      case 2: return copy(Driver::copy_out, pinned_out, device_out, bytes, number);
      default: return synchronize(number);
    }
  }
  std::string why_none() const { return recorder.recording().why_none; }

  std::mt19937 random{1};
  std::map<std::uint64_t, std::uint32_t> made;
};

BOOST_AUTO_TEST_CASE(threads_whose_calls_come_in_any_order_are_named) {
  ThreadedApplication app;
  for (int i = 0; i < 3 * 12; ++i) app.one_call(1 + i % 3, true);
  for (int i = 0; i < 2000; ++i) app.one_call(1 + app.random() % 3, true);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::none && recording.broken));
  BOOST_TEST(recording.why_none.starts_with(
      "calls come from 3 threads, in an order that differs: 12 calls repeat 3 times; "
      "then call "));
  BOOST_TEST(recording.broken->calls == 12u);
  BOOST_TEST(recording.threads == 3u);
}

BOOST_AUTO_TEST_CASE(one_thread_that_repeats_is_enough) {
  ThreadedApplication app;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t thread = 1 + app.random() % 2;
    app.one_call(thread, thread == 1);
  }
  BOOST_TEST(app.why_none().starts_with("calls come from 2 threads, in an order that differs: "));
}

BOOST_AUTO_TEST_CASE(where_no_thread_repeats_the_reason_is_another) {
  ThreadedApplication app;
  for (int i = 0; i < 2000; ++i) app.one_call(1 + app.random() % 2, false);
  BOOST_TEST(app.why_none() == "no sequence of calls repeats");
}

BOOST_AUTO_TEST_CASE(equal_launches_between_waits_are_no_loop_of_a_thread) {
  ThreadedApplication app;
  for (int i = 0; i < 200; ++i) {
    for (std::uint64_t thread : {1u, 2u}) {
      app.one_call(thread, false);
      app.thread = thread;
      const auto launches = 6 + app.random() % 20;
      for (std::uint32_t j = 0; j < launches; ++j) {
        app.launch(10, {device_out, device_in, 0, 0, 3, 0}, thread);
      }
    }
  }
  BOOST_TEST(!app.why_none().starts_with("calls come from"));
}

BOOST_AUTO_TEST_CASE(an_order_that_held_for_a_while_is_told) {
  ThreadedApplication app;
  for (int i = 0; i < 7 * 8; ++i) app.one_call(1 + i % 2, true);
  app.one_call(2, true);
  app.one_call(1, true);
  for (int i = 0; i < 100; ++i) app.one_call(1 + app.random() % 2, true);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats && recording.threads == 2u));
  BOOST_TEST(recording.why_none.starts_with(
      "calls come from 2 threads, in an order that differs: 8 calls had repeated "));
}

BOOST_AUTO_TEST_CASE(threads_in_a_range_are_named) {
  ThreadedApplication app(0, {.range = "step"});
  for (int i = 0; i < 50; ++i) {
    app.recorder.range_begins("step", app.now_us);
    for (int j = 0; j < 8; ++j) app.one_call(1 + app.random() % 2, true);
    app.recorder.range_ends(app.now_us);
  }
  BOOST_TEST(app.why_none().starts_with(
      "calls come from 2 threads, in an order that differs: the ranges hold "
      "different calls, first at call "));
}

BOOST_AUTO_TEST_SUITE_END()
