// Threads, loops without a wait, and the recorder's own cost, also while it only watches the ends
// of iterations.
#include <malloc.h>

#include <bit>

#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(watched_application)

BOOST_AUTO_TEST_CASE(ten_thousand_iterations_take_no_memory) {
  ReadyApplication app(20);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  app.watches_only = false;  // a call that should not come any more costs nothing
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) iterate(app);
  BOOST_TEST(mallinfo2().uordblks == before);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.iterations == 10'020u);
  BOOST_TEST(recording.watched_us.size() == 1000u);
  BOOST_TEST(recording.watched_us.back() == 18);
}

/// Every call of an iteration names something that no earlier call has named. No sequence of their
/// kinds occurs three times in a row.
void iterate_randomly(FakeApplication& app, std::uint64_t turn) {
  const std::uint64_t scratch = 0x9000'0000 + turn * 4096;
  app.allocate(scratch, 1 + turn);
  if (std::popcount(turn) % 2 == 0) app.memset(scratch, 2 + turn);
  app.memset(scratch, 1 + turn);
  app.launch(10, {device_out, scratch, 0, 0, turn, 0});
  app.copy(Driver::copy_out, 0x7000'0000'0000 + turn * 4096, scratch, 1 + turn);
  app.event(CallKind::record_event, 1000 + turn);
  app.launch_graph(turn, FakeGraph().copy(device_in, pinned_in, 1 + turn).made());
  app.free(scratch);
  app.synchronize();
}

std::size_t allocated_bytes() {
  const auto all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

BOOST_AUTO_TEST_CASE(a_search_without_an_end_keeps_no_more_than_so_many_calls) {
  ReadyApplication app;
  std::uint64_t turn = 0;
  while (turn < 160'000) iterate_randomly(app, turn++);
  const std::size_t before = allocated_bytes();
  while (turn < 190'000) iterate_randomly(app, turn++);
  BOOST_REQUIRE((app.stage == ListeningStage::search));
  BOOST_TEST(allocated_bytes() < before + (8 << 20));  // of 70 MiB of calls
}

BOOST_AUTO_TEST_CASE(calls_are_given_back_when_all_is_known) {
  ReadyApplication app(20);
  app.trace();
  for (int i = 0; i < 5; ++i) iterate(app);
  const std::size_t before = allocated_bytes();
  iterate(app);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  BOOST_TEST(allocated_bytes() + (100 << 10) < before);  // of a block of 1,024 calls
}

BOOST_AUTO_TEST_CASE(calls_are_given_back_where_nothing_is_to_be_traced) {
  ReadyApplication app(20);
  const std::size_t before = allocated_bytes();
  app.recorder.trace_nothing();
  BOOST_TEST(allocated_bytes() + (100 << 10) < before);
  app.trace();
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST((app.recorder.recording().found == Found::repeats));
  BOOST_TEST(app.recorder.latest() != nullptr);
}

BOOST_AUTO_TEST_CASE(a_trace_that_breaks_off_is_not_whole) {
  FakeApplication whole, broken;
  for (FakeApplication* const app : {&whole, &broken}) {
    set_up(*app);
    for (int i = 0; i < 20; ++i) iterate(*app);
    app->trace();
    for (int i = 0; i < 3; ++i) iterate(*app);
    BOOST_TEST(!app->recorder.traced_all());
  }
  for (int i = 0; i < 3; ++i) iterate(whole);
  BOOST_TEST(whole.recorder.traced_all());
  for (int i = 0; i < 17; ++i) broken.synchronize();
  BOOST_TEST((broken.stage == ListeningStage::watch));
  BOOST_TEST(!broken.recorder.traced_all());
}

/// Makes steps, after each of which the host reads whether to go on, and begins again.
void step_on(FakeApplication& app, int steps) {
  app.memset(device_out, 4096);
  for (int i = 0; i < steps; ++i) {
    app.launch(10, {device_out, device_in, 0, 0, 0, 0});
    app.copy(Driver::copy_out, pinned_out, device_out, 4);
    app.synchronize();
  }
}

BOOST_AUTO_TEST_CASE(a_loop_without_a_fixed_length_is_traced_beyond_its_end) {
  ReadyApplication app;
  step_on(app, 30);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  app.trace();
  for (const int steps : {2, 1, 3, 2, 4, 1}) step_on(app, steps);
  BOOST_TEST(app.recorder.traced_all());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 3u);
  BOOST_TEST(recording.breaks.value_or(0) >= 2u);
  for (const double us : recording.iteration_us) BOOST_TEST(us == 9);
}

BOOST_AUTO_TEST_CASE(a_trace_ends_when_the_loop_does_not_come_back) {
  ReadyApplication app;
  step_on(app, 30);
  app.trace();
  for (int i = 0; i < 10'010; ++i) app.memset(device_out, 4096);
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(!app.recorder.traced_all());
  BOOST_TEST(app.recorder.recording().broken.has_value());
}

BOOST_AUTO_TEST_CASE(an_iteration_ends_with_the_last_of_several_equal_waits) {
  ReadyApplication app;
  int ends = 0;
  for (int i = 0; i < 30; ++i) {
    app.launch(10, {device_out, device_in, 0, 0, 0, 0});
    app.synchronize(1);
    if (app.stage == ListeningStage::watch && app.recorder.at_iteration_end()) --ends;
    app.launch(11, {device_out, device_in, 0, 0, 0, 0});
    app.synchronize(1);
    if (app.stage == ListeningStage::watch && app.recorder.at_iteration_end()) ++ends;
  }
  BOOST_TEST(ends == 21);
  BOOST_TEST(app.recorder.recording().iterations == 30u);
}

BOOST_AUTO_TEST_CASE(memory_is_still_known_while_ends_are_watched) {
  ReadyApplication app(10);
  app.watches_only = false;
  const std::size_t before = app.recorder.live_memory().size();
  app.allocate(0x8000'0000, 64);
  BOOST_TEST(app.recorder.live_memory().size() == before + 1);
  app.free(0x8000'0000);
  BOOST_TEST(app.recorder.live_memory().size() == before);
}

BOOST_AUTO_TEST_CASE(memory_may_live_from_one_iteration_to_the_next) {
  ReadyApplication app;
  const auto scratch = [](std::uint64_t i) { return 0x9000'0000 + i * mebibyte; };
  app.allocate(scratch(0), 4096, true);
  app.synchronize();
  for (std::uint64_t i = 0; i < 10; ++i) {
    app.launch(10, {device_out, scratch(i), 0, 0, 0, 0});
    app.free(scratch(i), true);
    app.allocate(scratch(i + 1), 4096, true);
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 4u);
  BOOST_TEST(recording.calls[0].uses.size() == 2u);
  BOOST_TEST(!recording.memory.at(recording.calls[1].uses.at(0).memory).within);
}

BOOST_AUTO_TEST_CASE(an_iteration_frees_what_it_has_allocated_behind_its_wait) {
  ReadyApplication app;
  for (int i = 0; i < 20; ++i) {
    app.allocate(0x9000'0000, 4096);
    app.allocate(0x9100'0000, 4096);
    app.launch(10, {device_out, 0x9000'0000, 0, 0, 0, 0});
    app.synchronize();
    app.free(0x9100'0000);
    app.free(0x9000'0000);
  }
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 6u);
  BOOST_TEST((recording.calls[0].kind == CallKind::allocate));
  BOOST_TEST((recording.calls[5].kind == CallKind::free));
  BOOST_TEST(recording.memory.at(recording.calls[5].uses.at(0).memory).within);
  BOOST_TEST(recording.calls_before == 12u);
}

BOOST_AUTO_TEST_CASE(frees_behind_the_last_wait_belong_to_what_repeats) {
  for (const bool goes_on : {true, false}) {
    ReadyApplication app;
    for (int i = 0; i < 6; ++i) {
      app.allocate(0x9000'0000, 4096);
      app.launch(10, {device_out, 0x9000'0000, 0, 0, 0, 0});
      app.synchronize();
      if (i == 5 && !goes_on) app.memset(device_out, 64);
      app.free(0x9000'0000);
    }
    BOOST_TEST((app.recorder.recording().found == Found::repeats) == goes_on);
  }
}

BOOST_AUTO_TEST_CASE(an_inner_loop_does_not_hide_the_outer_one) {
  ReadyApplication app;
  for (int i = 0; i < 40 && app.stage != ListeningStage::watch; ++i) {
    for (int inner = 0; inner < 8; ++inner) {
      app.launch(10, {device_out, device_in, 0, 0, 0, 0});
      app.synchronize();
    }
    app.copy(Driver::copy_out, pinned_out, device_out, 4096);
    app.synchronize();
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.recording().calls.size() == 18u);
}

BOOST_AUTO_TEST_CASE(threads_that_issue_are_counted) {
  ReadyApplication app;
  for (int i = 0; i < 10; ++i) {
    app.thread = 2;
    app.launch(10, {device_out, device_in, 0, 0, 0, 0}, 2);
    app.thread = 1;
    iterate(app);
  }
  BOOST_TEST(app.recorder.recording().threads == 2u);
}

BOOST_AUTO_TEST_CASE(calls_may_come_from_several_threads_at_once) {
  ReadyApplication app(10);
  const auto work = [&] {
    ObservedCall call{.kind = CallKind::synchronize_stream,
                      .function = app.number(Driver::synchronize_stream),
                      .thread = 1};
    ObservedCall other{
        .kind = CallKind::memset, .function = app.number(Driver::memset), .thread = 1};
    for (int i = 0; i < 5000; ++i) {
      call.end_us += 3;
      app.recorder.observe(call);
      app.recorder.observe(other);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(app.recorder.recording().iterations == 20'010u);
  FakeApplication searching;
  threads.clear();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 2000; ++j) {
        searching.recorder.observe({.kind = CallKind::memset,
                                    .function = 4,
                                    .bytes = static_cast<std::uint64_t>(j * j * (i + 1))});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(searching.recorder.recording().calls.size() == 1000u);
}

BOOST_AUTO_TEST_CASE(a_loop_without_a_wait_is_cut_behind_its_rarest_call) {
  ReadyApplication app;
  for (int i = 0; i < 4000 && app.stage != ListeningStage::watch; ++i) {
    app.launch(10, {device_out, device_in, 0, 0, 0, 0});
    app.memset(device_out, 64);
    app.launch(11, {device_out, device_in, 0, 0, 0, 0});
  }
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.ending_function() == app.number(Driver::memset));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 3u);
  BOOST_TEST((recording.calls[2].kind == CallKind::memset));
}

BOOST_AUTO_TEST_CASE(a_copy_that_waits_ends_an_iteration) {
  FakeApplication app;
  for (int i = 0; i < 12; ++i) {
    app.launch(10, {device_out, device_in, 0, 0, 0, 0});
    app.call({.kind = CallKind::copy,
              .function = app.number(Driver::copy_out),
              .destination = 0x7000'0000'0000,
              .source = device_out,
              .bytes = 8,
              .waits = true});
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 2u);
  BOOST_TEST(
      (recording.memory.at(recording.calls[1].uses.at(1).memory).kind == MemoryKind::pageable));
  BOOST_TEST(app.surroundings.asked_memory <= 4);  // once per page
}

BOOST_AUTO_TEST_CASE(what_cupti_adds_to_an_iteration_is_kept_beside_its_time) {
  ReadyApplication app(20);
  const std::vector<double> watched = app.recorder.recording().watched_us;
  BOOST_REQUIRE(!watched.empty());
  BOOST_TEST(!app.recorder.recording().cupti_us);
  app.recorder.cupti_added(1.5);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.cupti_us.value() == 1.5);
  BOOST_TEST(recording.watched_us == watched);
}

BOOST_AUTO_TEST_CASE(an_iteration_that_the_listener_lengthens_is_counted_and_not_timed) {
  ReadyApplication app(20);
  const std::size_t timed = app.recorder.recording().watched_us.size();
  app.recorder.skip_times(1);
  app.recorder.skip_times(0);
  for (int i = 0; i < 3; ++i) iterate(app);
  BOOST_TEST(app.recorder.recording().watched_us.size() == timed + 2);
  RangedApplication ranged(20);
  ranged.begin("step");
  ranged.recorder.skip_times(1);
  ranged.end();
  ranged.step(3);
  BOOST_TEST(ranged.recorder.recording().iterations == 22u);
  BOOST_TEST(ranged.recorder.recording().watched_us.size() == 11u);
}

BOOST_AUTO_TEST_SUITE_END()
