// Loops that wait for the work of an earlier iteration, and their diagnoses.
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/finding/iteration_finder.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(rotating_events)

void wait_for(FakeApplication& app, std::uint64_t event) {
  app.call({.kind = CallKind::synchronize_event,
            .function = FakeApplication::number(Driver::synchronize_context),
            .event = event});
}

/// Works, and waits for the work of `behind` steps ago. Events are 100, 101 ... in turn.
void step(FakeApplication& app, std::uint64_t turn, std::uint64_t ring, std::uint64_t behind) {
  app.launch(10, {device_out, device_in, 0, 0, 3, 0});
  app.event(CallKind::record_event, 100 + turn % ring);
  if (turn >= behind) wait_for(app, 100 + (turn - behind) % ring);
}

FakeApplication& searched(FakeApplication& app, std::uint64_t steps, std::uint64_t ring,
                          std::uint64_t behind, std::uint64_t from = 0) {
  for (std::uint64_t turn = from; turn < from + steps; ++turn) step(app, turn, ring, behind);
  return app;
}

std::vector<std::uint32_t> events_in(const ApplicationRecording& recording) {
  std::vector<std::uint32_t> events;
  for (const RecordedCall& call : recording.calls) {
    if (names_event(call.kind)) events.push_back(call.event);
  }
  return events;
}

BOOST_AUTO_TEST_CASE(the_iteration_is_a_whole_turn_of_the_ring) {
  ReadyApplication app;
  const ApplicationRecording recording = searched(app, 60, 4, 2).recorder.recording();
  BOOST_REQUIRE((recording.found == Found::repeats));
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  BOOST_TEST(recording.calls.size() == 12u);
  // Each step waits for what was recorded two steps ago, the first two for the previous iteration.
  BOOST_TEST(events_in(recording) == (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 0, 3, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(recording.why_none == "");
}

BOOST_AUTO_TEST_CASE(only_whole_turns_are_timed_while_it_is_watched) {
  ReadyApplication app;
  searched(app, 60, 4, 2);
  BOOST_REQUIRE((app.stage == ListeningStage::watch));
  searched(app, 40, 4, 2, 60);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(!recording.watched_us.empty());
  for (const double us : recording.watched_us) BOOST_TEST(us == 36);  // 12 calls of 3 us
}

BOOST_AUTO_TEST_CASE(it_can_be_traced_although_records_passed_unseen) {
  ReadyApplication app;
  searched(app, 60, 4, 2);
  std::uint64_t turn = 60;
  for (; !app.recorder.at_iteration_end() || turn < 90; ++turn) step(app, turn, 4, 2);
  app.trace();
  for (std::uint64_t end = turn + 24; turn < end; ++turn) step(app, turn, 4, 2);
  BOOST_TEST(app.recorder.traced_all());
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(!recording.broken);
}

/// One event, which waits for the previous iteration.
BOOST_AUTO_TEST_CASE(an_event_that_lags_and_does_not_rotate_can_be_traced_too) {
  ReadyApplication app;
  const auto one = [&] {
    app.event(CallKind::wait_event, 100, 2);
    app.launch(10, {device_out, device_in, 0, 0, 3, 0}, 2);
    app.event(CallKind::record_event, 100, 2);
    app.synchronize();
  };
  for (int i = 0; i < 20; ++i) one();
  BOOST_TEST(app.recorder.recording().calls.size() == 4u);
  app.trace();
  for (int i = 0; i < 6; ++i) one();
  BOOST_TEST(app.recorder.traced_all());
  BOOST_TEST(!app.recorder.recording().broken);
}

BOOST_AUTO_TEST_CASE(another_loop_is_still_seen_while_it_is_traced) {
  ReadyApplication app;
  searched(app, 60, 4, 2);
  app.trace();
  for (std::uint64_t turn = 60; turn < 84; ++turn) {
    app.launch(10, {device_out, device_in, 0, 0, 3, 0});
    app.event(CallKind::record_event, 100 + turn % 4);
    app.synchronize();  // for the stream instead
  }
  BOOST_TEST(!app.recorder.traced_all());
  BOOST_TEST(app.recorder.recording().broken.has_value());
}

BOOST_AUTO_TEST_CASE(events_of_the_same_step_do_not_make_a_turn) {
  ReadyApplication app;
  BOOST_TEST(searched(app, 60, 4, 0).recorder.recording().calls.size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_event_that_is_another_one_each_time_is_refused) {
  ReadyApplication app;
  const ApplicationRecording recording = searched(app, 60, 1000, 2).recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 3u);
  BOOST_TEST(recording.calls[2].refusal ==
             "it waits for an event of an earlier iteration, and for a different one each time");
  BOOST_TEST(recording.calls[1].refusal == "");
}

BOOST_AUTO_TEST_CASE(repetitions_are_joined_from_the_last_one_on) {
  Repetitions five{.calls = 3, .all = {}};
  for (std::uint64_t i = 0; i < 5; ++i) {
    const double start_us = 10 * static_cast<double>(i);
    five.all.push_back({3 * i, start_us, start_us + 9, false, i > 2});
  }
  const Repetitions two = joined(five, 2);
  BOOST_TEST(two.calls == 6u);
  BOOST_REQUIRE(two.all.size() == 2u);
  BOOST_TEST(two.all[0].first == 3u);
  BOOST_TEST(two.all[0].end_us == 29);
  BOOST_TEST(!two.all[0].runtime);
  BOOST_TEST(two.all[1].first == 9u);
  BOOST_TEST(two.all[1].start_us == 30);
  BOOST_TEST(two.all[1].end_us == 49);
  BOOST_TEST(two.all[1].runtime);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lagged_waits)

constexpr std::uint64_t first_event = 0x100;
constexpr int steps = 40;

void work(FakeApplication& app, std::uint64_t stream = 1) {
  app.launch(10, {device_out, device_in, 0, 0, 0, 0}, stream);
  app.copy(Driver::copy_out, pinned_out, device_out, 4096, stream);
}

std::size_t useless_waits(const ApplicationRecording& recording) {
  const Diagnosis diagnosis = diagnosis_of(recording);
  return static_cast<std::size_t>(
      std::ranges::count_if(diagnosis.findings, [](const CallFinding& finding) {
        return finding.kind == FindingKind::useless_stream_wait ||
               finding.kind == FindingKind::useless_synchronize;
      }));
}

void test_needs_its_waits(FakeApplication& app, std::size_t calls) {
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == calls);
  BOOST_TEST(recording.contexts.value() == 1u);
  BOOST_TEST(useless_waits(recording) == 0u);
}

BOOST_AUTO_TEST_CASE(a_ring_of_events_needs_the_wait_for_the_step_before_the_last) {
  for (const std::uint64_t slots : {2u, 3u, 4u}) {
    ReadyApplication app;
    for (std::uint64_t step = 0; step < steps; ++step) {
      work(app);
      app.event(CallKind::record_event, first_event + step % slots);
      if (step == 0) continue;
      app.event(CallKind::synchronize_event, first_event + (step - 1) % slots);
    }
    test_needs_its_waits(app, 4 * slots);  // one turn of the ring
  }
}

BOOST_AUTO_TEST_CASE(buffers_in_turn_need_the_wait_for_their_last_use) {
  ReadyApplication app;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t done = first_event + step % 2, there = first_event + 2 + step % 2;
    if (step >= 2) app.event(CallKind::synchronize_event, done);
    app.copy(Driver::copy_in, device_in, pinned_in, 8192, 1);
    app.event(CallKind::record_event, there, 1);
    app.event(CallKind::wait_event, there, 2);
    work(app, 2);
    app.event(CallKind::record_event, done, 2);
  }
  test_needs_its_waits(app, 14);
}

BOOST_AUTO_TEST_CASE(a_stream_s_wait_for_the_step_before_is_needed) {
  ReadyApplication app;
  for (std::uint64_t step = 0; step < steps; ++step) {
    app.event(CallKind::wait_event, first_event + (step + 1) % 2, 2);
    work(app, 2);
    app.event(CallKind::record_event, first_event + step % 2, 2);
    work(app, 1);
    app.synchronize(1);
  }
  test_needs_its_waits(app, 14);
}

BOOST_AUTO_TEST_CASE(a_second_wait_for_the_same_work_is_useless) {
  ReadyApplication app;
  for (int step = 0; step < steps; ++step) {
    work(app);
    app.synchronize();
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.calls.size() == 4u);
  BOOST_TEST(useless_waits(recording) == 1u);
  for (const CallFinding& finding : diagnosis_of(recording).findings) {
    const bool waits = finding.kind == FindingKind::synchronization;
    BOOST_TEST((!waits || finding.count == 1u));  // the first, and no call twice
  }
}

BOOST_AUTO_TEST_CASE(waits_in_two_contexts_are_for_different_work) {
  ReadyApplication app;
  for (int step = 0; step < steps; ++step) {
    work(app);
    for (const std::uint64_t context : {1u, 2u}) {
      app.call({.kind = CallKind::synchronize_context,
                .function = FakeApplication::number(Driver::synchronize_context),
                .context = context});
    }
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.contexts.value() == 3u);  // the work has no number
  BOOST_TEST(useless_waits(recording) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
