// Diagnoses of loops that wait for the work of an earlier iteration, recorded from calls.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "common/application/diagnosis/make_diagnosis.hpp"
#include "tests/application/finding/fake_application.hpp"

using namespace trilane;

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
