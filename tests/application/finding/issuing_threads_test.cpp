// Applications whose calls do not repeat because several threads make them.
#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(issuing_threads)

/// Each thread has its own stream, and a loop of four calls or one without fixed sizes.
struct ThreadedApplication : ReadyApplication {
  using ReadyApplication::ReadyApplication;

  void one_call(std::uint64_t number, bool repeats) {
    thread = number;
    if (number != 1 && first_other == 0) first_other = number;
    const std::uint64_t bytes = repeats ? 4096 : 4 * (1 + random() % 100'000);
    switch (made[number]++ % 4) {
      case 0: return copy(Driver::copy_in, device_in, pinned_in, bytes, number);
      case 1: return launch(10, {device_out, device_in, 0, 0, 3, 0}, number);
      case 2: return copy(Driver::copy_out, pinned_out, device_out, bytes, number);
      default: return synchronize(number);
    }
  }
  /// Returns the thread's number in the order of first calls; the first one has set up.
  std::uint32_t number_of(std::uint64_t wanted) const {
    if (wanted == 1) return 1;
    return wanted == first_other ? 2 : 3;
  }
  std::string why_none() const { return recorder.recording().why_none; }

  std::mt19937 random{1};
  std::uint64_t first_other = 0;
  std::map<std::uint64_t, std::uint32_t> made;
};

BOOST_AUTO_TEST_CASE(threads_whose_calls_come_in_any_order_are_named) {
  ThreadedApplication app;
  for (int i = 0; i < 3 * 12; ++i) app.one_call(1 + i % 3, true);
  for (int i = 0; i < 900; ++i) app.one_call(1 + app.random() % 3, true);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::none && recording.broken));
  BOOST_TEST(recording.why_none.starts_with(
      "calls come from 3 threads, in an order that differs: 12 calls repeat 3 times; "
      "then call "));
  BOOST_TEST(recording.broken->calls == 12u);
  BOOST_TEST(recording.threads == 3u);
}

BOOST_AUTO_TEST_CASE(the_loop_of_one_thread_is_found_among_others) {
  ThreadedApplication app;
  for (int i = 0; i < 9000; ++i) {
    const std::uint64_t thread = 1 + app.random() % 3;
    app.one_call(thread, thread == 2);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.issuing));
  BOOST_TEST((recording.calls.size() == 4u && recording.threads == 1u));
  BOOST_TEST(recording.issuing->thread == app.number_of(2));
  BOOST_TEST((recording.issuing->others == 2u && recording.issuing->alike == 0u));
  BOOST_TEST(why_no_replay(recording) == "");
}

BOOST_AUTO_TEST_CASE(threads_whose_calls_are_those_of_the_loop_are_counted) {
  ThreadedApplication app;
  for (int i = 0; i < 12'000; ++i) {
    const std::uint64_t thread = 1 + app.random() % 3;
    app.one_call(thread, thread != 3);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.issuing));
  BOOST_TEST((recording.issuing->others == 2u && recording.issuing->alike == 1u));
}

BOOST_AUTO_TEST_CASE(the_thread_with_the_most_calls_is_followed) {
  ThreadedApplication app;
  for (int i = 0; i < 9000; ++i) app.one_call(app.random() % 3 == 0 ? 1 : 2, true);
  BOOST_TEST(app.recorder.only_thread() == 2u);
  ThreadedApplication other;
  for (int i = 0; i < 9000; ++i) other.one_call(other.random() % 3 == 0 ? 2 : 1, true);
  BOOST_TEST(other.recorder.only_thread() == 1u);
}

BOOST_AUTO_TEST_CASE(a_thread_without_a_wait_has_no_loop_of_its_own) {
  ThreadedApplication app;
  for (int i = 0; i < 9000; ++i) {
    app.one_call(1, false);
    for (auto more = app.random() % 7; more > 0; --more) app.memset(device_out, 64);
    app.thread = 2;
    app.launch(10, {device_out, device_in, 0, 0, 3, 0}, 2);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none && app.recorder.only_thread() == 0u));
  BOOST_TEST(!recording.why_none.starts_with("calls come from"));
}

BOOST_AUTO_TEST_CASE(only_the_thread_that_was_asked_for_is_recorded) {
  for (const std::uint32_t wanted : {1u, 2u}) {
    ThreadedApplication app(0, {.thread = wanted});
    for (int i = 0; i < 100; ++i) app.one_call(1 + app.random() % 2, true);
    BOOST_REQUIRE((app.recorder.recording().found == Found::repeats));
    BOOST_TEST(app.recorder.recording().issuing->thread == wanted);
    BOOST_TEST(app.recorder.only_thread() == wanted);
  }
  ThreadedApplication app(0, {.thread = 3});
  for (int i = 0; i < 100; ++i) app.one_call(1 + app.random() % 2, true);
  BOOST_TEST(app.why_none().starts_with("thread 3 was asked for, and 2 called the driver: "));
}

BOOST_AUTO_TEST_CASE(only_ends_of_the_loop_that_was_found_are_counted) {
  ThreadedApplication app;
  for (int i = 0; i < 40; ++i) app.one_call(1, true);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  const std::uint64_t before = app.recorder.recording().iterations;
  for (int i = 0; i < 40; ++i) app.one_call(1 + i % 2, true);
  BOOST_TEST(app.recorder.recording().iterations == before + 5);
  BOOST_TEST((app.recorder.may_take(1) && !app.recorder.may_take(2)));
}

BOOST_AUTO_TEST_CASE(a_loop_whose_thread_is_gone_is_followed_in_another) {
  ThreadedApplication app;
  for (int i = 0; i < 40; ++i) app.one_call(1, true);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  for (int i = 0; i < 4 * 10'002; ++i) app.one_call(2, true);
  BOOST_TEST(app.recorder.only_thread() == 0u);  // each thread's ends count
  ThreadedApplication other;
  for (int i = 0; i < 24; ++i) other.one_call(1, true);
  BOOST_REQUIRE((other.stage == ListeningStage::confirm));
  for (int i = 0; i < 10'100; ++i) other.one_call(2, true);
  BOOST_TEST((other.stage == ListeningStage::watch));
  BOOST_TEST(other.recorder.only_thread() == 2u);
}

BOOST_AUTO_TEST_CASE(times_without_other_threads_are_kept_apart) {
  ThreadedApplication app;
  for (int i = 0; i < 60; ++i) app.one_call(1, true);
  const std::size_t beside = app.recorder.recording().watched_us.size();
  app.recorder.is_alone(3);
  app.gap_us = 0;
  for (int i = 0; i < 40; ++i) app.one_call(1, true);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.watched_us.size() == beside);
  BOOST_REQUIRE(recording.issuing);
  BOOST_TEST(recording.issuing->others == 3u);
  BOOST_TEST(recording.issuing->alone_us == std::vector<double>(10, 8.0),
             boost::test_tools::per_element());
  // The file has the times, too.
  BOOST_TEST((recording_from_json(recording_to_json(recording)).issuing == recording.issuing));
}

/// A loop whose second half comes from another thread, as in a backward pass.
struct TurnsApplication : ReadyApplication {
  void step(double backward_gap_us = 1, std::uint64_t one = 1, std::uint64_t other = 2) {
    thread = one;
    copy(Driver::copy_in, device_in, pinned_in, 8192);
    launch(10, {device_out, device_in, 0, 0, 3, 0});
    thread = other;
    gap_us = backward_gap_us;
    launch(11, {device_out, device_out, 0, 0, 3, 0});
    gap_us = 1;
    launch(12, {device_out, device_out, 0, 0, 3, 0});
    thread = one;
    launch(13, {device_out, device_out, 0, 0, 3, 0});
    synchronize();
  }
};

BOOST_AUTO_TEST_CASE(threads_that_take_turns_make_one_iteration) {
  TurnsApplication app;
  for (int i = 0; i < 12; ++i) app.step();
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.issuing));
  BOOST_TEST((recording.calls.size() == 6u && recording.threads == 2u));
  BOOST_TEST((recording.issuing->in_turns && recording.issuing->thread == 0u));
  BOOST_TEST(why_no_replay(recording) == "");
}

BOOST_AUTO_TEST_CASE(a_loop_of_the_set_up_does_not_part_threads_that_take_turns) {
  TurnsApplication app;
  for (int i = 0; i < 8; ++i) {  // the layers of a network
    for (const std::uint64_t bytes : {4096u, 64u}) {
      app.copy(Driver::copy_in, device_in, pinned_in, bytes);
      app.synchronize();
    }
  }
  app.memset(device_out, 64);
  for (int i = 0; i < 60; ++i) app.step();
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.issuing));
  BOOST_TEST((recording.calls.size() == 6u && recording.issuing->in_turns));
}

BOOST_AUTO_TEST_CASE(threads_are_not_parted_while_the_calls_of_all_may_still_repeat) {
  for (const bool begins : {true, false}) {
    TurnsApplication app;
    for (int i = 0; i < 8; ++i) {  // an early loop, so that its like must repeat more often
      app.copy(Driver::copy_in, device_in, pinned_in, 4096);
      app.synchronize();
    }
    // Neither the calls of all nor those of the first thread repeat until one is chosen.
    for (std::uint32_t bytes = 4; app.calls < (begins ? 4050u : 4200u); bytes += 4) {
      app.thread = 1 + bytes % 8 / 4;
      app.memset(device_out, bytes);
    }
    for (int i = 0; i < 60; ++i) app.step();
    const ApplicationRecording recording = app.recorder.recording();
    BOOST_TEST((recording.threads == 2u && app.recorder.only_thread() == 0u));
  }
}

BOOST_AUTO_TEST_CASE(calls_may_overlap_in_an_order_that_is_known) {
  TurnsApplication app;
  for (int i = 0; i < 12; ++i) app.step(i == 8 ? -1 : 1);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.threads == 2u && recording.issuing->in_turns));
  BOOST_TEST(app.recorder.only_thread() == 0u);
}

BOOST_AUTO_TEST_CASE(calls_beside_a_wait_or_within_one_of_the_same_stream_are_no_turns) {
  // The second one begins first, or a wait of it overlaps; with a stream of its own it may begin.
  const struct {
    CallKind kind;
    std::uint64_t stream;
    double gap_us;
    std::uint64_t only;
  } cases[]{{CallKind::memset, 1, -3, 1},
            {CallKind::memset, 2, -3, 0},
            {CallKind::synchronize_stream, 2, -1, 1},
            {CallKind::memset, 1, -1, 0}};
  for (const auto& [kind, stream, gap_us, only] : cases) {
    TurnsApplication app;
    for (int i = 0; i < 12; ++i) {
      app.thread = 1;
      app.launch(10, {device_out, device_in, 0, 0, 3, 0});
      app.thread = 2;
      app.gap_us = gap_us;
      app.call({.kind = kind, .function = 20, .stream = stream, .bytes = 64});
      app.gap_us = 5;
      app.thread = 1;
      app.synchronize();
    }
    BOOST_TEST(app.recorder.only_thread() == only);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_is_made_once_does_not_part_threads_that_take_turns) {
  for (const std::uint64_t thread : {1u, 2u}) {
    TurnsApplication app;
    for (int i = 0; i < 8; ++i) app.step();
    app.thread = thread;
    app.copy(Driver::copy_in, device_in, pinned_in, 8192);
    app.memset(device_out, 64);
    for (int i = 0; i < 60; ++i) app.step();
    BOOST_TEST((app.recorder.recording().threads == 2u && app.recorder.only_thread() == 0u));
  }
}

BOOST_AUTO_TEST_CASE(functions_are_the_loops_own_only_if_no_other_calls_go_unheard) {
  TurnsApplication turns;
  for (int i = 0; i < 12; ++i) turns.step();
  const std::set<std::uint32_t> own{turns.number(Driver::launch), turns.number(Driver::copy_in),
                                    turns.number(Driver::synchronize_stream)};
  BOOST_TEST((turns.recorder.own_functions() == own));
  ThreadedApplication one;
  for (int i = 0; i < 8000; ++i) one.one_call(1 + one.random() % 2, true);
  BOOST_TEST(one.recorder.only_thread() != 0u);
  BOOST_TEST(one.recorder.own_functions().empty());
  RangedApplication ranged(12);
  BOOST_TEST((ranged.stage == ListeningStage::watch));
  BOOST_TEST(ranged.recorder.own_functions().empty());
}

BOOST_AUTO_TEST_CASE(turns_must_be_the_same_each_time) {
  TurnsApplication passed_on, differs;
  for (int i = 0; i < 12; ++i) {
    passed_on.step(1, i % 2 == 0 ? 1 : 3, i % 2 == 0 ? 2 : 4);
    differs.step(1, 1, i == 8 ? 1 : 2);
  }
  BOOST_TEST(passed_on.recorder.recording().issuing->in_turns);
  BOOST_TEST(!differs.recorder.recording().issuing->in_turns);
}

BOOST_AUTO_TEST_CASE(turns_may_pass_to_other_threads_as_a_whole) {
  TurnsApplication app;
  for (int i = 0; i < 12; ++i) {
    app.thread = 1 + static_cast<std::uint64_t>(i) % 3;
    iterate(app);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats && recording.threads == 1u));
  BOOST_TEST(app.recorder.only_thread() == 0u);
  BOOST_TEST(why_no_replay(recording) == "");
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
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none && app.recorder.only_thread() == 0u));
  BOOST_REQUIRE(!recording.why_none.empty());
  BOOST_TEST(!recording.why_none.starts_with("calls come from"));
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_refused_in_the_order_of_all_is_not_so_in_one_threads_loop) {
  TurnsApplication app;
  for (std::uint64_t turn = 0; turn < 40; ++turn) {
    app.thread = 1;
    app.launch(10, {device_out, device_in, 0, 0, 3, 0});
    app.thread = 2;
    app.event(CallKind::wait_event, turn < 2 ? 100 : 98 + turn, 2);  // another one each time
    app.thread = 1;
    app.event(CallKind::record_event, 100 + turn);
    app.synchronize();
    app.thread = 2;
    app.gap_us = -1;  // while the first one waits
    app.synchronize(2);
    app.gap_us = 1;
    const ApplicationRecording recording = app.recorder.recording();
    if (recording.calls.size() != 3) continue;
    for (const RecordedCall& call : recording.calls) BOOST_TEST(call.refusal == "");
  }
  BOOST_TEST(app.recorder.only_thread() == 1u);
  BOOST_TEST(app.recorder.recording().calls.size() == 3u);
}

BOOST_AUTO_TEST_CASE(where_an_order_held_for_a_while_the_loop_of_one_thread_is_searched) {
  ThreadedApplication app;
  for (int i = 0; i < 7 * 8; ++i) app.one_call(1 + i % 2, true);
  app.one_call(2, true);
  app.one_call(1, true);
  for (int i = 0; i < 20; ++i) app.one_call(1 + app.random() % 2, true);
  ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats && recording.threads == 2u));
  BOOST_TEST(recording.why_none.starts_with(
      "calls come from 2 threads, in an order that differs: 8 calls had repeated "));
  for (int i = 0; i < 400; ++i) app.one_call(1 + app.random() % 2, true);
  recording = app.recorder.recording();
  BOOST_TEST((recording.calls.size() == 4u && recording.threads == 1u));
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
