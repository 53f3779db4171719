// The stages of listening, with instruments and a replay that only note what they are asked.
#include "common/application/finding/listening_stages.hpp"

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(listening_stages)

using Asked = std::vector<std::string>;

struct FakeInstruments : ListeningInstruments {
  ApplicationNow now() const override { return state; }
  void note_thread() override { asked.push_back("thread"); }
  void listen_to(Heard functions) override {
    static const char* const words[] = {"all", "ends", "nothing"};
    asked.push_back(words[static_cast<int>(functions)]);
  }
  void listen_to_runtime() override { asked.push_back("runtime"); }
  bool end_runtime(bool within_none) override {
    asked.push_back(within_none ? "end runtime outside" : "end runtime");
    return runtime_ends;
  }
  void called() override { ++calls; }
  void begin_era() override { asked.push_back("era"); }
  void start_tracer() override { asked.push_back("trace"); }
  bool stop_tracer() override {
    asked.push_back("stop");
    return records;
  }
  bool device_is_done() const override { return idle; }
  void stop_at_runtime(bool on) override {
    asked.push_back(on ? "stop at runtime" : "not at runtime");
  }
  void release(bool cupti_leaves) override { asked.push_back(cupti_leaves ? "detach" : "end"); }

  /// Returns what was asked since the last time.
  Asked since() { return std::exchange(asked, {}); }

  ApplicationNow state;
  bool runtime_ends = true, records = true, idle = true;
  int calls = 0;
  Asked asked;
};

struct FakeReplay : StagedReplay {
  bool is_wanted() const override { return wanted; }
  bool is_over() const override { return over; }
  bool is_capturing() const override { return capturing; }
  bool begins(const ApplicationRecorder&) override {
    return capturing = wanted && !over && std::exchange(ready, false);
  }
  void breaks_off(const std::string& reason) override {
    gives_up(reason);
    capturing = false;
  }
  void gives_up(const std::string& reason) override {
    if (over) return;
    over = true;
    gave_up = reason;
  }

  bool wanted = false, over = true, capturing = false, ready = true;
  std::string gave_up;
};

/// A listener to an application that launches a kernel and waits for it in each iteration. Its
/// clock begins at the real time, and runs ahead.
struct FakeListener {
  explicit FakeListener(RecorderSettings settings = {}) : recorder(surroundings, settings) {}

  void call(CallKind kind, std::uint32_t function) {
    ObservedCall made{
        .kind = kind, .function = function, .thread = thread, .stream = stream + thread};
    made.begin_us = now_us += 1;
    made.end_us = now_us += 1;
    instruments.state.ended_work = ends_work(made);
    stages.observe(made);
    if (!replay.capturing) stages.call_ended(made.end_us);
  }
  /// Makes iterations of 5 ms.
  void iterate(int times) {
    for (int i = 0; i < times; ++i) {
      now_us += 4996;
      call(CallKind::kernel, 1);
      call(CallKind::synchronize_stream, 2);
    }
  }
  /// Makes as many iterations as the stage takes.
  void leave(ListeningStage stage) {
    for (int i = 0; i < 50 && stages.stage() == stage; ++i) iterate(1);
  }
  void watch() {
    leave(ListeningStage::search);
    leave(ListeningStage::confirm);
    BOOST_REQUIRE((stages.stage() == ListeningStage::watch));
    instruments.since();
  }
  void want_replay() {
    replay.wanted = true;
    replay.over = false;
  }
  /// Continues until an iteration with graphs is captured.
  void capture() {
    want_replay();
    instruments.state.has_graphs = true;
    watch();
    while (!stages.is_capturing()) iterate(1);
  }

  FakeSurroundings surroundings;
  ApplicationRecorder recorder;
  FakeInstruments instruments;
  FakeReplay replay;
  Departure departure{recorder, instruments, replay};
  RecorderStatus page;
  ThreadGate gate;
  ListeningStages stages{recorder, instruments, replay, departure, gate, page, [this] {
                           instruments.asked.push_back("known");
                         }};
  double now_us = recorder_now_us();
  std::uint64_t thread = 1, stream = 0;
};

BOOST_AUTO_TEST_CASE(an_iteration_is_confirmed_with_the_runtime_and_then_only_its_ends_call_back) {
  FakeListener listener;
  listener.leave(ListeningStage::search);
  BOOST_TEST((listener.stages.stage() == ListeningStage::confirm));
  BOOST_TEST(listener.instruments.since() == (Asked{"runtime", "era"}));
  listener.leave(ListeningStage::confirm);
  BOOST_TEST((listener.stages.stage() == ListeningStage::watch));
  BOOST_TEST(listener.instruments.since() == (Asked{"end runtime", "known", "ends", "era"}));
  BOOST_TEST(listener.page.calls == static_cast<std::uint64_t>(listener.instruments.calls));
  BOOST_TEST(listener.page.watched == 1u);  // it ended with the call in which watching began
}

BOOST_AUTO_TEST_CASE(a_function_of_the_runtime_under_way_is_given_one_more_iteration) {
  FakeListener listener;
  listener.instruments.runtime_ends = false;
  listener.leave(ListeningStage::search);
  listener.instruments.since();
  while (listener.instruments.asked.empty()) listener.iterate(1);
  BOOST_TEST(listener.instruments.since() == (Asked{"end runtime", "known"}));
  BOOST_TEST((listener.stages.stage() == ListeningStage::confirm));
  listener.iterate(1);
  BOOST_TEST((listener.stages.stage() == ListeningStage::watch));
  BOOST_TEST(listener.instruments.since() == (Asked{"end runtime", "end runtime", "ends", "era"}));
}

BOOST_AUTO_TEST_CASE(a_host_that_never_waits_is_timed_once_the_queue_is_full_again) {
  FakeListener listener;
  const auto launch = [&](int times) {
    for (int i = 0; i < times; ++i) listener.call(CallKind::kernel, 1);
  };
  while (listener.stages.stage() != ListeningStage::watch) launch(1);
  launch(1200);
  BOOST_TEST(listener.recorder.recording().watched_us.empty());
  launch(50);
  BOOST_TEST(!listener.recorder.recording().watched_us.empty());
  BOOST_TEST((listener.departure.order() == Departure::Order::none));
  launch(51);
  BOOST_TEST((listener.departure.order() == Departure::Order::leave));
}

BOOST_AUTO_TEST_CASE(a_queue_is_one_of_a_stream_and_is_not_filled_for_longer_than_two_seconds) {
  const auto watched = [](int streams, double pause_us, int iterations) {
    FakeListener listener;
    const auto iterate = [&] {
      listener.now_us += pause_us;
      for (int stream = 0; stream < streams; ++stream) {
        listener.stream = static_cast<std::uint64_t>(stream) + 1;
        listener.call(CallKind::kernel, 1);
      }
    };
    while (listener.stages.stage() != ListeningStage::watch) iterate();
    for (int i = 0; i < iterations; ++i) iterate();
    return !listener.recorder.recording().watched_us.empty();
  };
  BOOST_TEST(!watched(1, 0, 1200));
  BOOST_TEST(!watched(4, 0, 1200));
  BOOST_TEST(watched(4, 0, 1250));
  BOOST_TEST(watched(1, 1e5, 30));
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_is_searched_for_again) {
  FakeListener listener;
  listener.leave(ListeningStage::search);
  listener.instruments.since();
  listener.call(CallKind::memset, 3);
  BOOST_TEST((listener.stages.stage() == ListeningStage::search));
  BOOST_TEST(listener.instruments.since() == (Asked{"end runtime", "all", "era"}));
}

BOOST_AUTO_TEST_CASE(device_times_are_taken_after_some_iterations_and_then_the_listener_leaves) {
  FakeListener listener;
  listener.watch();
  listener.leave(ListeningStage::watch);
  BOOST_REQUIRE((listener.stages.stage() == ListeningStage::trace));
  BOOST_TEST(listener.page.watched == 6u);  // 20 ms have passed
  BOOST_TEST((listener.departure.trace() == Trace::under_way));
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "trace", "era"}));
  listener.leave(ListeningStage::trace);
  BOOST_TEST((listener.departure.trace() == Trace::clean));
  BOOST_TEST(listener.instruments.since() == (Asked{"stop", "known", "ends", "era"}));
  BOOST_TEST((listener.departure.order() == Departure::Order::leave));
  BOOST_TEST(listener.departure.is_due());
  BOOST_TEST(listener.departure.release());
  BOOST_TEST(listener.instruments.since() == Asked{"detach"});
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_while_traced_is_not_replayed_and_keeps_cupti) {
  FakeListener listener;
  listener.want_replay();
  listener.watch();
  listener.leave(ListeningStage::watch);
  listener.iterate(1);
  // Leaves work pending: the tracer may not stop yet.
  for (int i = 0; i < 10'010; ++i) listener.call(CallKind::memset, 3);
  BOOST_TEST((listener.stages.stage() == ListeningStage::trace));
  listener.iterate(1);
  BOOST_TEST((listener.stages.stage() == ListeningStage::watch));
  BOOST_TEST((listener.departure.trace() == Trace::broken));
  BOOST_TEST(listener.replay.gave_up == "the loop was not regular while it was traced");
  BOOST_TEST(!listener.departure.release());
}

BOOST_AUTO_TEST_CASE(unread_records_count_as_a_broken_trace) {
  FakeListener listener;
  listener.instruments.records = false;
  listener.watch();
  listener.leave(ListeningStage::watch);
  listener.leave(ListeningStage::trace);
  BOOST_TEST((listener.departure.trace() == Trace::broken));
}

BOOST_AUTO_TEST_CASE(graphs_are_replayed_without_a_trace) {
  FakeListener listener;
  listener.capture();
  BOOST_TEST((listener.departure.trace() == Trace::none));
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  listener.iterate(1);
  listener.stages.capture_ended(true);
  BOOST_TEST(!listener.stages.is_capturing());
  BOOST_TEST(listener.instruments.since() == Asked{"ends"});
}

BOOST_AUTO_TEST_CASE(an_iteration_that_frees_earlier_memory_is_heard_once_more_before_a_capture) {
  FakeListener listener;
  listener.want_replay();
  listener.instruments.state.has_graphs = true;
  const auto iterate = [&] {
    listener.call(CallKind::free_async, 3);
    listener.iterate(1);
  };
  for (int i = 0; i < 50 && listener.stages.stage() != ListeningStage::watch; ++i) iterate();
  listener.instruments.since();
  for (int i = 0; i < 50 && listener.instruments.asked.empty(); ++i) iterate();
  BOOST_TEST(!listener.stages.is_capturing());
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  iterate();
  BOOST_TEST(listener.stages.is_capturing());
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  // Another try is heard once more, too.
  listener.replay.capturing = false;
  listener.replay.ready = true;
  listener.stages.capture_ended(false);
  listener.instruments.since();
  iterate();
  BOOST_TEST(!listener.stages.is_capturing());
  iterate();
  BOOST_TEST(listener.stages.is_capturing());
}

BOOST_AUTO_TEST_CASE(after_a_capture_that_differs_ends_are_watched_again) {
  FakeListener listener;
  listener.capture();
  listener.instruments.since();
  listener.replay.breaks_off("it differs");
  listener.stages.capture_ended(false);
  BOOST_TEST(!listener.stages.is_capturing());
  BOOST_TEST(listener.instruments.since() == (Asked{"ends", "era"}));
}

BOOST_AUTO_TEST_CASE(a_busy_device_is_not_replayed) {
  FakeListener listener;
  listener.want_replay();
  listener.instruments.state.has_graphs = true;
  listener.instruments.idle = false;
  listener.watch();
  listener.iterate(6);
  BOOST_TEST(listener.replay.gave_up == "the device is not idle between two iterations");
  BOOST_TEST((listener.departure.order() == Departure::Order::leave));
}

BOOST_AUTO_TEST_CASE(nothing_begins_while_a_stream_is_captured) {
  FakeListener listener;
  listener.instruments.state.captures = true;
  listener.watch();
  listener.iterate(100);
  BOOST_TEST(listener.instruments.since() == Asked{});
  BOOST_TEST((listener.stages.stage() == ListeningStage::watch));
}

/// A listener that is about to replay the loop of one among several threads, of which some wait.
struct ThreadedListener : FakeListener {
  explicit ThreadedListener(std::uint32_t others = 0, double ahead_us = 0) {
    now_us += ahead_us;
    instruments.state.several_threads = true;
    want_replay();
    watch();
    while (instruments.asked.empty()) iterate(1);
    for (std::uint64_t number = 2; number < 2 + others; ++number) {
      threads.emplace_back([this, number] { gate.pass(number); });
    }
    while (gate.waiting() < others) std::this_thread::yield();
  }
  ~ThreadedListener() {
    gate.open();
    for (std::thread& one : threads) one.join();
  }
  /// Returns once a thread that waits has opened the gate.
  void force() {
    gate.extend(0);
    while (!gate.was_forced()) std::this_thread::yield();
  }
  void stop_all() {
    while (!stages.is_capturing()) iterate(1);
    instruments.since();
  }

  std::vector<std::thread> threads;
};

BOOST_AUTO_TEST_CASE(other_threads_are_stopped_and_the_loop_is_timed_before_it_is_captured) {
  ThreadedListener listener(2, -1e6);
  BOOST_TEST(listener.gate.is_closed());
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  listener.iterate(1);
  BOOST_TEST(listener.instruments.since() == Asked{});  // until they are quiet
  listener.now_us = recorder_now_us() + 50e3;
  listener.iterate(1);
  BOOST_TEST(listener.instruments.since() == Asked{"ends"});
  BOOST_TEST(!listener.stages.is_capturing());
  // They are held for a second more each time.
  listener.gate.extend(recorder_now_us() + 100e3);
  listener.iterate(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  BOOST_TEST(!listener.gate.was_forced());
  while (!listener.stages.is_capturing()) listener.iterate(1);
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  const ApplicationRecording recording = listener.recorder.recording();
  BOOST_TEST(recording.issuing->others == 2u);
  BOOST_TEST(recording.issuing->alone_us.size() >= 4u);
}

BOOST_AUTO_TEST_CASE(several_threads_are_held_during_the_replay_and_traced_after_it) {
  ThreadedListener listener;
  listener.stop_all();  // none of them makes a call
  listener.iterate(1);
  BOOST_TEST(listener.stages.capture_ended(true));
  BOOST_TEST(listener.gate.is_closed());
  BOOST_TEST(listener.instruments.since() == (Asked{"nothing", "stop at runtime"}));
  BOOST_TEST((listener.stages.traces_later() && !listener.departure.pause()));
  listener.replay.over = true;
  listener.replay.capturing = false;
  listener.stages.replayed();
  BOOST_TEST(listener.instruments.since() == (Asked{"not at runtime", "ends", "era"}));
  BOOST_TEST(!listener.gate.is_closed());
  listener.iterate(1);
  BOOST_TEST((listener.stages.stage() == ListeningStage::trace));
  listener.leave(ListeningStage::trace);
  listener.iterate(1);
  BOOST_TEST((listener.departure.order() == Departure::Order::leave));
  BOOST_TEST(!listener.departure.release());
}

BOOST_AUTO_TEST_CASE(a_loop_that_waits_for_another_thread_is_not_replayed) {
  ThreadedListener listener(1);
  listener.force();
  listener.iterate(1);
  BOOST_TEST(listener.replay.gave_up.starts_with("the loop did not go on"));
  BOOST_TEST((listener.stages.stage() == ListeningStage::trace));  // as without a replay
  ThreadedListener late(1);
  late.stop_all();
  late.force();
  BOOST_TEST(!late.stages.capture_ended(true));
  BOOST_TEST(late.replay.gave_up.starts_with("the loop did not go on"));
  BOOST_TEST(late.instruments.since() == (Asked{"ends", "era", "not at runtime"}));
}

BOOST_AUTO_TEST_CASE(threads_that_arrive_for_ever_are_let_go) {
  ThreadedListener listener(0, -1e9);  // its clock says that one has just arrived
  for (int i = 0; i < 300 && listener.replay.gave_up.empty(); ++i) listener.iterate(1);
  BOOST_TEST(listener.replay.gave_up.starts_with("the loop did not go on"));
  BOOST_TEST(!listener.gate.is_closed());
}

BOOST_AUTO_TEST_CASE(a_capture_beside_stopped_threads_is_tried_once) {
  ThreadedListener listener;
  listener.stop_all();
  listener.replay.capturing = false;  // the step had other calls
  BOOST_TEST(!listener.stages.capture_ended(false));
  BOOST_TEST(listener.replay.gave_up == "the iteration changed before it was captured");
  BOOST_TEST(!listener.gate.is_closed());
}

BOOST_AUTO_TEST_CASE(threads_that_need_each_other_are_replayed_together) {
  FakeListener listener;
  listener.want_replay();
  listener.instruments.state.several_threads = true;
  // Each waits while the other makes calls.
  const auto iterate = [&] {
    for (const std::uint64_t number : {1u, 2u}) {
      listener.thread = number;
      listener.iterate(1);
      listener.now_us -= 5000.5;
    }
    listener.now_us += 5000;
  };
  for (int i = 0; i < 50 && !listener.gate.is_closed(); ++i) iterate();
  BOOST_TEST(listener.recorder.only_thread() != 0u);
  std::thread other([&] { listener.gate.pass(3 - listener.recorder.only_thread()); });
  while (listener.gate.waiting() == 0) std::this_thread::yield();
  listener.gate.extend(0);
  other.join();
  iterate();
  BOOST_TEST(listener.replay.gave_up == "");
  BOOST_TEST((listener.stages.stage() == ListeningStage::search));
  for (int i = 0; i < 50 && !listener.stages.is_capturing(); ++i) iterate();
  BOOST_TEST(listener.stages.is_capturing());
  const ApplicationRecording recording = listener.recorder.recording();
  BOOST_TEST(recording.watched_us.size() == 4u);  // only of these
  BOOST_TEST((recording.threads == 2u && recording.calls.size() == 4u));
  BOOST_TEST((recording.issuing->thread == 0u && recording.issuing->alone_us.empty()));
}

BOOST_AUTO_TEST_CASE(several_threads_are_traced_at_once_without_a_replay) {
  FakeListener other;
  other.instruments.state.several_threads = true;
  other.watch();
  other.leave(ListeningStage::watch);
  BOOST_TEST((other.stages.stage() == ListeningStage::trace));
  other.leave(ListeningStage::trace);
  BOOST_TEST(!other.departure.release());
}

BOOST_AUTO_TEST_CASE(ranges_are_confirmed_and_left_outside_of_calls) {
  FakeListener listener({.range = "step"});
  const auto step = [&] {
    listener.stages.range_begins("step", listener.now_us);
    listener.iterate(1);
    listener.stages.range_ends(listener.now_us);
  };
  while (listener.stages.stage() == ListeningStage::search) step();
  BOOST_TEST(listener.instruments.since() == (Asked{"thread", "runtime", "era"}));
  while (listener.stages.stage() == ListeningStage::confirm) step();
  BOOST_TEST(listener.instruments.since() ==
             (Asked{"thread", "end runtime outside", "known", "ends", "era"}));
  listener.want_replay();
  listener.instruments.state.has_graphs = true;
  while (!listener.replay.over) step();  // the range ends before the capture is complete
  BOOST_TEST(!listener.stages.is_capturing());
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era", "ends", "era"}));
}

BOOST_AUTO_TEST_CASE(cupti_pauses_for_a_replay_within_a_wait_and_alone) {
  FakeListener listener;
  listener.instruments.state.ended_work = true;
  BOOST_TEST(listener.departure.pause());
  BOOST_TEST(listener.instruments.since() == Asked{"detach"});
  listener.instruments.state.ended_work = false;
  BOOST_TEST(!listener.departure.pause());
  BOOST_TEST(listener.instruments.since() == Asked{"nothing"});
  listener.instruments.state.several_threads = true;
  BOOST_TEST(!listener.departure.pause());
  BOOST_TEST(listener.instruments.since() == Asked{});  // the stages have done it
}

BOOST_AUTO_TEST_CASE(a_listener_that_could_leave_later_waits_for_the_end_of_work) {
  FakeListener listener;
  listener.watch();
  listener.instruments.state.ended_work = false;
  listener.departure.begin();
  BOOST_TEST(listener.instruments.since() == (Asked{"all", "era"}));
  BOOST_TEST(!listener.departure.is_due());
  listener.instruments.state.ended_work = listener.instruments.state.captures = true;
  BOOST_TEST(!listener.departure.is_due());
  listener.instruments.state.captures = false;
  BOOST_TEST(listener.departure.is_due());
  BOOST_TEST(listener.departure.take_order());
  BOOST_TEST(!listener.departure.take_order());
}

BOOST_AUTO_TEST_SUITE_END()
