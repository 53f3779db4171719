// Recordings of fake applications.
#include "common/application/finding/application_recorder.hpp"

#include "tests/application/finding/fake_application.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(application_recorder)

using Uses = std::vector<UsedRange>;

BOOST_AUTO_TEST_CASE(it_searches_and_confirms_and_then_watches_ends) {
  ReadyApplication app;
  app.trace();
  BOOST_TEST((app.stage == ListeningStage::search));  // there is no iteration yet
  for (int i = 0; i < 9; ++i) iterate(app);
  BOOST_TEST((app.stage == ListeningStage::confirm));
  BOOST_TEST(app.recorder.at_iteration_end());
  BOOST_TEST(app.recorder.latest() == nullptr);
  iterate(app);
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.ending_function() == app.number(Driver::synchronize_stream));
  for (int i = 0; i < 7; ++i) iterate(app);
  BOOST_TEST(app.recorder.at_iteration_end());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls_before == 6u);
  BOOST_TEST(recording.iterations == 17u);
  BOOST_TEST(recording.recorded == 5u);
  BOOST_TEST(recording.iteration_us == std::vector<double>(5, 18),
             boost::test_tools::per_element());
  BOOST_TEST(recording.watched_us == std::vector<double>(6, 18), boost::test_tools::per_element());
  BOOST_TEST(recording.threads == 1u);
  BOOST_TEST((!recording.broken && recording.why_none.empty()));
  BOOST_TEST(app.surroundings.asked_kernels == 2);
}

BOOST_AUTO_TEST_CASE(device_times_are_taken_once_of_iterations_in_a_row) {
  ReadyApplication app(20);
  app.trace();
  for (int i = 0; i < 6; ++i) {
    BOOST_TEST((app.stage == ListeningStage::trace));
    iterate(app);
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorder.at_iteration_end());
  app.trace();
  BOOST_TEST((app.stage == ListeningStage::watch));
  for (int i = 0; i < 4; ++i) iterate(app);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.iterations == 30u);
  BOOST_TEST(recording.recorded == 5u);  // without the first traced one
  BOOST_TEST(recording.watched_us.size() == 12u);
}

BOOST_AUTO_TEST_CASE(times_without_the_tracer_are_kept_apart) {
  ReadyApplication app(20);
  BOOST_TEST(app.recorder.recording().calls[1].start_us == 4);
  app.trace();
  app.call_us = 5;
  app.gap_us = 3;
  app.before.listener_us = 0.25;
  for (int i = 0; i < 6; ++i) iterate(app);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.calls[1].start_us == 11 && recording.calls[1].host_us == 5));
  BOOST_TEST((recording.calls[1].own_us.value() == 1 && recording.calls[1].call_us.value() == 2));
  BOOST_TEST(recording.iteration_us == std::vector<double>(5, 48),
             boost::test_tools::per_element());
  FakeApplication slow;
  slow.before.listener_us = 0.25;
  set_up(slow);
  for (int i = 0; i < 10; ++i) iterate(slow);
  BOOST_TEST(slow.recorder.recording().calls[0].own_us.value() == 0.75);
  BOOST_TEST(slow.recorder.recording().calls[3].own_us.value() == 0.75);
}

BOOST_AUTO_TEST_CASE(times_without_the_tracer_are_those_of_few_iterations_if_need_be) {
  ReadyApplication app(6, {.range = {}, .confirmed = 1, .traced = 12});
  app.trace();
  app.call_us = 5;
  app.gap_us = 3;
  for (int i = 0; i < 12; ++i) iterate(app);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.recorded == 11u);
  BOOST_TEST((recording.calls[1].own_us.value() == 1 && recording.calls[1].call_us.value() == 2));
}

BOOST_AUTO_TEST_CASE(calls_state_what_they_do) {
  ReadyApplication app(10);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 6u);
  const auto& calls = recording.calls;
  const CallKind kinds[]{CallKind::copy,   CallKind::memset, CallKind::kernel,
                         CallKind::kernel, CallKind::copy,   CallKind::synchronize_stream};
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST((calls[i].kind == kinds[i]));
    BOOST_TEST(calls[i].start_us == 1 + 3 * static_cast<double>(i));
    BOOST_TEST(calls[i].host_us == 2);
  }
  BOOST_REQUIRE(recording.memory.size() == 4u);
  BOOST_TEST((recording.memory[0] == RecordedMemory{MemoryKind::pinned, mebibyte, false}));
  BOOST_TEST((recording.memory[1] == RecordedMemory{MemoryKind::device, mebibyte, false}));
  BOOST_TEST((calls[0].uses == Uses{{0, 0, 8192, Use::reads}, {1, 0, 8192, Use::writes}}));
  BOOST_TEST((calls[1].uses == Uses{{2, 256, 4096, Use::writes}}));
  BOOST_TEST((calls[1].value == 7u && calls[1].bytes == 4096u));
  BOOST_TEST((calls[2].uses == Uses{{2, 0, mebibyte, Use::may_use},
                                    {1, 64, mebibyte - 64, Use::may_use},
                                    {1, 0, mebibyte, Use::may_use}}));
  BOOST_TEST(calls[3].uses.size() == 2u);
  BOOST_TEST((calls[2].kernel == 0u && calls[3].kernel == 1u));
  BOOST_TEST((calls[2].grid == std::vector<std::uint32_t>{4, 1, 1}));
  BOOST_TEST((calls[2].block == std::vector<std::uint32_t>{256, 1, 1}));
  BOOST_REQUIRE(recording.kernels.size() == 2u);
  const auto& parameters = recording.kernels[0].parameters;
  BOOST_TEST((parameters[0].pointer && parameters[1].pointer && !parameters[2].pointer));
  BOOST_TEST((parameters[3].pointer && parameters[3].bytes == 16u));
  BOOST_TEST(!recording.kernels[1].parameters[3].pointer);
  BOOST_TEST(recording.streams.size() == 1u);
  BOOST_TEST((recording.streams[0].kind == StreamKind::non_blocking));
}

BOOST_AUTO_TEST_CASE(arguments_are_constant_alternate_or_change) {
  ReadyApplication app;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::uint64_t half = i % 2 * 4096;
    app.copy(Driver::copy_in, device_in + half, pinned_in + half, 8192);
    app.launch(10, {device_out, device_in + half, i, 0, i % 3, 0});
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 3u);
  BOOST_TEST((recording.calls[0].pointers == Variation::alternates));
  const std::vector<Variation> wanted{Variation::constant, Variation::alternates,
                                      Variation::changes, Variation::alternates};
  BOOST_TEST((recording.calls[1].arguments == wanted));
}

BOOST_AUTO_TEST_CASE(a_number_that_is_once_an_address_is_no_pointer) {
  ReadyApplication app;
  for (std::uint32_t i = 0; i < 10; ++i) {
    app.launch(10, {device_out, i == 3 ? 12345 : device_in, 0, 0, 0, 0});
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.calls.at(0).uses.size() == 1u);
  BOOST_TEST(!recording.kernels.at(0).parameters.at(1).pointer);
}

BOOST_AUTO_TEST_CASE(memory_of_the_iteration_comes_and_goes_at_any_address) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::uint64_t scratch = 0x9000'0000 + i * i * mebibyte;
    app.allocate(scratch, 4096, true);
    app.launch(10, {device_out, scratch + 8, 0, 0, 0, 0});
    app.free(scratch, true);
    // The same address again, but other memory.
    app.allocate(scratch, 2048, true);
    app.memset(scratch, 16);
    app.free(scratch, true);
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.calls.size() == 7u));
  BOOST_REQUIRE(recording.memory.size() == 3u);
  BOOST_TEST((recording.memory[0] == RecordedMemory{MemoryKind::pool, 4096, true}));
  BOOST_TEST((recording.memory[1] == RecordedMemory{MemoryKind::device, mebibyte, false}));
  BOOST_TEST((recording.memory[2] == RecordedMemory{MemoryKind::pool, 2048, true}));
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_REQUIRE(recording.calls[1].uses.size() == 2u);
  BOOST_TEST((recording.calls[1].uses[1] == UsedRange{0, 8, 4088, Use::may_use}));
  BOOST_TEST((recording.calls[4].uses == Uses{{2, 0, 16, Use::writes}}));
  BOOST_TEST(recording.calls[2].bytes == 4096u);
}

BOOST_AUTO_TEST_CASE(events_that_are_new_in_each_iteration_have_the_same_numbers) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 10; ++i) {
    app.event(CallKind::record_event, 1000 + 2 * i, 1);
    app.event(CallKind::record_event, 1001 + 2 * i, 2);
    app.event(CallKind::wait_event, 1000 + 2 * i, 3);
    app.event(CallKind::wait_event, 1001 + 2 * i, 4);
    app.synchronize(4);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats && recording.calls.size() == 5u));
  BOOST_TEST((recording.calls[0].event == 0u && recording.calls[1].event == 1u));
  BOOST_TEST((recording.calls[2].event == 0u && recording.calls[3].event == 1u));
  BOOST_TEST((recording.calls[3].stream == 3u && recording.streams.size() == 4u));
}

BOOST_AUTO_TEST_CASE(a_wait_for_another_event_is_another_call) {
  ReadyApplication app;
  for (std::uint64_t i = 0; i < 20; ++i) {
    app.event(CallKind::record_event, 1000, 1);
    app.event(CallKind::record_event, 1001, 2);
    app.event(CallKind::wait_event, 1000 + i % 2, 3);
    app.synchronize(3);
  }
  BOOST_TEST(app.recorder.recording().calls.size() == 8u);
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_shape_while_traced_is_not_left) {
  ReadyApplication app(15);
  app.trace();
  for (int i = 0; i < 3; ++i) iterate(app);
  for (int i = 0; i < 10'010; ++i) app.launch(12, {device_out, device_in, 0, 0, 0, 0});
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.calls.size() == 6u && recording.recorded == 2u));
  BOOST_TEST(contains(recording.why_none, "changed while it was analysed"));
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_shape_early_keeps_what_was_known) {
  ReadyApplication app(7);
  app.copy(Driver::copy_in, device_in, pinned_in, 8192);
  app.launch(12, {device_out, device_in, 0, 0, 0, 0});
  BOOST_TEST((app.stage == ListeningStage::search));
  app.synchronize();
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats && recording.calls.size() == 6u));
  BOOST_TEST(recording.recorded == 5u);
  BOOST_REQUIRE(recording.broken.has_value());
  BOOST_TEST((recording.broken->calls == 6u && recording.broken->repeats == 7u));
  BOOST_TEST(recording.broken->at == 1u);
  BOOST_TEST(recording.broken->expected == "function 4 of 4096 bytes on stream 0x1");
  BOOST_TEST(contains(recording.broken->got, "function 1 of kernel 12, 4 x 1 x 1 blocks of 256"));
  BOOST_TEST(contains(recording.why_none, "changed while it was analysed"));
  // The new loop, which must repeat more often.
  for (int i = 0; i < 40; ++i) {
    app.launch(12, {device_out, device_in, 0, 0, 0, 0});
    app.synchronize();
    if (i == 15) BOOST_TEST((app.stage == ListeningStage::search));
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  const ApplicationRecording after = app.recorder.recording();
  BOOST_TEST((after.calls.size() == 2u && !after.broken && after.why_none.empty()));
  BOOST_TEST(!after.queried);
}

BOOST_AUTO_TEST_CASE(without_a_period_it_says_why) {
  FakeApplication none;
  BOOST_TEST(none.recorder.recording().why_none == "no call to the driver was seen");
  ReadyApplication app(4);
  app.copy(Driver::copy_in, device_in, pinned_in, 8192);
  app.memset(device_out + 256, 4095);
  app.synchronize();
  app.query();
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none));
  BOOST_TEST(recording.why_none == "6 calls repeat 4 times; then call 1 of them differs");
  BOOST_REQUIRE(recording.broken.has_value());
  BOOST_TEST(recording.broken->expected == "function 4 of 4096 bytes on stream 0x1");
  BOOST_TEST(recording.broken->got == "function 4 of 4095 bytes on stream 0x1");
  BOOST_TEST(recording.calls.size() == 33u);
  BOOST_TEST(recording.recorded == 0u);
  BOOST_TEST(recording.queried);
}

BOOST_AUTO_TEST_CASE(a_handle_that_comes_again_means_something_else) {
  FakeApplication app;
  app.launch(10, {});
  app.launch(11, {}, 2);
  app.synchronize();
  BOOST_TEST((app.recorder.live_streams().size() == 2u));
  app.recorder.stream_destroyed(1);
  BOOST_TEST((app.recorder.live_streams() == std::vector<std::uint64_t>{2}));
  app.recorder.kernels_unloaded();
  app.surroundings.priority = -3;
  app.surroundings.kernel_name = "another ";
  for (int i = 0; i < 12; ++i) {
    app.launch(10, {});
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats));
  BOOST_TEST(recording.streams.at(0).priority == -3);
  BOOST_TEST(recording.kernels.at(0).name == "another 10");
  BOOST_TEST(app.surroundings.asked_kernels == 3);
  BOOST_TEST(app.surroundings.asked_streams == 3);
  app.recorder.context_reset();
  BOOST_TEST(app.recorder.live_streams().empty());
}

BOOST_AUTO_TEST_CASE(another_kernel_at_the_handle_may_have_other_parameters) {
  for (const std::size_t parameters : {0, 1, 4}) {
    FakeApplication app;
    app.surroundings.parameters = 4 - parameters;
    set_up(app);
    for (int i = 0; i < 7; ++i) {
      if (i == 3 || i == 6) app.recorder.kernels_unloaded();
      if (i == 3) app.surroundings.parameters = parameters;
      iterate(app);
    }
    for (int i = 0; i < 9; ++i) iterate(app);
    for (const RecordedCall& call : app.recorder.recording().calls) {
      if (call.kind == CallKind::kernel) BOOST_TEST(call.arguments.size() == parameters);
    }
  }
}

BOOST_AUTO_TEST_CASE(device_times_join_by_correlation) {
  ReadyApplication app;
  std::vector<DeviceTime> times;
  for (int i = 0; i < 10; ++i) iterate(app);
  app.trace();
  for (int i = 4; i < 10; ++i) {
    const double start_us = app.now_us;
    iterate(app);
    const std::uint32_t copy = app.calls - 5;
    // A graph's operations share a number; here those of a copy.
    times.push_back({copy, start_us + 5, start_us + 6});
    times.push_back({copy, start_us + 7, start_us + 9.0 + i});
  }
  app.recorder.device_times(times);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.calls[0].device_start_us.value() == 5);
  BOOST_TEST(recording.calls[0].device_us.value() == 11);  // of the fifth to the ninth
  BOOST_TEST(!recording.calls[5].device_us.has_value());
}

BOOST_AUTO_TEST_CASE(refusals_are_counted_by_call_and_reason) {
  FakeApplication app;
  static const char* const managed = "managed memory";
  app.refused(managed);
  set_up(app);
  for (int i = 0; i < 10; ++i) {
    app.refused(managed);
    iterate(app);
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.refusals.size() == 1u);
  BOOST_TEST(recording.refusals[0].call == "function 12");
  BOOST_TEST(recording.refusals[0].reason == managed);
  BOOST_TEST(recording.refusals[0].count == 11u);
  BOOST_TEST(recording.calls.at(0).refusal == managed);
}

BOOST_AUTO_TEST_CASE(launches_keep_their_attributes_which_tell_calls_apart) {
  static const LaunchAttributes early{.programmatic = true};
  for (const bool same : {true, false}) {
    FakeApplication app;
    for (int i = 0; i < 12; ++i) {
      app.launch(10, {});
      app.launch(10, {}, 1, same || i % 2 == 0 ? &early : nullptr);
      app.synchronize();
    }
    const ApplicationRecording recording = app.recorder.recording();
    BOOST_REQUIRE(recording.calls.size() == (same ? 3u : 6u));  // of one cycle, or of two
    BOOST_TEST(!recording.calls[0].attributes.has_value());
    if (same) BOOST_TEST((recording.calls[1].attributes == early));
    BOOST_TEST((recording.kernels.at(0).waits_for_previous == true));
    BOOST_TEST((recording.kernels.at(0).triggers_next == false));
  }
}

BOOST_AUTO_TEST_CASE(captures_that_fail_are_counted_by_the_call_that_broke_them_and_its_code) {
  FakeApplication app;
  BOOST_TEST(!app.recorder.recording().captures.has_value());
  const auto fails = [&](const ObservedCaptureCall& broken) {
    app.recorder.capture_ended({.failed = true, .broken = broken});
  };
  app.recorder.capture_ended({});
  fails({3, 0, CallKind::memset, 906});
  fails({3, 0, CallKind::memset, 900});
  fails({3, 5, CallKind::memset, 906});
  const RecordedCaptures wanted{
      4,
      {{"function 3", "runtime 5", CallKind::memset, 906, 2, CapturePlace{}},
       {"function 3", "", CallKind::memset, 900, 1, CapturePlace{}}},
      CaptureAudit{.sites = {{.ended = 4, .failed = 3}}, .calls = {}, .source = {}}};
  BOOST_TEST((app.recorder.recording().captures == wanted));
}

BOOST_AUTO_TEST_CASE(captures_and_their_calls_are_told_apart_by_place_thread_and_effect) {
  FakeApplication app;
  const RecordedFrame one{.module = "app", .offset = 1}, two{.module = "app", .offset = 2};
  const ObservedStack first{{&one}}, second{{&one, &two}};
  const auto noted = [&](CaptureEffect effect, std::uint64_t thread, const ObservedStack* stack) {
    ObservedCaptureCall call{.function = 3, .kind = CallKind::kernel};
    call.place = {.effect = effect, .other_thread = thread != 7};
    call.thread = thread;
    call.begun_by = 7;
    call.stack = stack;
    call.begin = &first;
    app.recorder.capture_noted(call);
  };
  noted(CaptureEffect::left_out, 7, &first);
  noted(CaptureEffect::left_out, 7, &second);
  noted(CaptureEffect::left_out, 7, nullptr);  // joins the first: its line was not looked for
  noted(CaptureEffect::refused, 7, &first);
  noted(CaptureEffect::refused, 8, &first);
  app.recorder.capture_ended({.begin = &first, .elsewhere = true});
  app.recorder.capture_ended({.mode = CaptureMode::relaxed, .begin = &first});
  app.recorder.capture_ended({.begin = &first, .failed = true, .heard = false});
  const RecordedCaptures captures = app.recorder.recording().captures.value();
  BOOST_TEST(captures.ended == 2u);
  BOOST_TEST(captures.failed.empty());
  const CaptureAudit& audit = captures.audit.value();
  BOOST_TEST(audit.unheard == 1u);
  BOOST_TEST((audit.sites == std::vector<CaptureSite>{{CaptureMode::global, 0, 2, 1, 1},
                                                      {CaptureMode::relaxed, 0, 1, 0, 0}}));
  std::vector<std::uint64_t> counts;
  for (const CaptureCall& call : audit.calls) counts.push_back(call.count);
  BOOST_TEST(counts == (std::vector<std::uint64_t>{2, 1, 1, 1}), boost::test_tools::per_element());
  BOOST_TEST((audit.source.frames == std::vector<RecordedFrame>{one, two}));
  BOOST_TEST((audit.source.stacks == std::vector<RecordedStack>{{{0}}, {{0, 1}}}));
  BOOST_TEST((audit.calls[1].place->stack == 1u && audit.calls[1].place->begin == 0u));
}

BOOST_AUTO_TEST_CASE(the_latest_iteration_owns_its_arguments) {
  ReadyApplication app;
  for (std::uint32_t i = 0; i < 10; ++i) iterate(app, i);
  const ObservedIteration* const latest = app.recorder.latest();
  BOOST_REQUIRE(latest != nullptr);
  BOOST_REQUIRE(latest->calls.size() == 6u);
  BOOST_TEST(latest->calls[0].destination == device_in);
  FakeArguments arguments;
  BOOST_REQUIRE(latest->calls[2].launch.arguments.size() == sizeof arguments);
  std::memcpy(&arguments, latest->calls[2].launch.arguments.data(), sizeof arguments);
  BOOST_TEST((arguments.number == 9u && arguments.in == device_in + 64));
}

BOOST_AUTO_TEST_SUITE_END()
