// An iteration without the tracer, reconstructed from a traced one and from the host's own times.
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/diagnosis/time_spent.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/base/mentions.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(untraced_iterations)

using R = Recorded;
using enum TimeUse;

/// 100 kernels of 1 us, which the tracer spreads to one every 6 us, and a wait. Without it, the
/// host launches one every 3.3 us.
Recorded launches() {
  Recorded a;
  for (int i = 0; i < 100; ++i) {
    a.kernel(R::free_one, {});
    a.at(5 * i, 4.5, 4 + 6 * i, 1).untraced(0.3, 3);
  }
  a.synchronize(R::free_one);
  a.at(500, 100).untraced(0.3, 3);
  a.recording.iteration_us = {600};
  a.recording.watched_us = {340, 341, 360};
  return a;
}

/// Five kernels of 100 us each, 5 us apart while traced.
Recorded long_kernels() {
  Recorded a;
  for (int i = 0; i < 5; ++i) {
    a.kernel(R::free_one, {});
    a.at(5 * i, 4.5, 4 + 105 * i, 100).untraced(0.3, 3);
  }
  a.recording.iteration_us = {525};
  a.recording.watched_us = {505};
  return a;
}

/// A copy in, a kernel and a copy out in one stream, and a wait. The traced gaps are 9 and 3 us.
Recorded copies_and_a_kernel(double watched_us) {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device);
  a.at(0, 2, 4, 8).untraced(0, 2);
  a.kernel(R::free_one, {});
  a.at(2, 4, 21, 1).untraced(0, 3);
  a.copy(R::free_one, R::device, R::pinned);
  a.at(6, 2, 25, 6).untraced(0, 2);
  a.synchronize(R::free_one);
  a.at(8, 24).untraced(0, 20);
  a.recording.iteration_us = {32};
  a.recording.watched_us = {watched_us};
  return a;
}

/// Returns the diagnosis, whose parts each account for the whole period.
Diagnosis whole_diagnosis(const Recorded& a, bool used = true) {
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_REQUIRE(diagnosis.reconstruction.has_value());
  BOOST_TEST(diagnosis.reconstruction->used == used);
  BOOST_TEST(sum(diagnosis.host) == diagnosis.period_us, tt::tolerance(1e-9));
  BOOST_TEST(sum(diagnosis.path) == diagnosis.period_us, tt::tolerance(1e-9));
  const DeviceUse device = diagnosis.device.value();
  BOOST_TEST(device.busy_us + sum(device.causes) == diagnosis.period_us, tt::tolerance(1e-9));
  return diagnosis;
}

ApplicationRecording untraced(const Recorded& a) {
  return untraced_times(a.recording, HappensBefore(a.recording, 2)).recording;
}

double ran_at(const ApplicationRecording& recording, std::size_t call) {
  return recording.calls.at(call).device_start_us.value();
}

/// Returns true if the page says so, wherever its lines break.
bool says(const Diagnosis& diagnosis, const std::string& part) {
  return holds(as_text(diagnosis_page(diagnosis)), part);
}

BOOST_AUTO_TEST_CASE(a_loop_of_launches_is_bound_by_the_host) {
  const Diagnosis diagnosis = whole_diagnosis(launches());
  // The last launch begins at 327, its kernel runs from 331 to 332, and the wait returns 1 us after
  // it, as traced.
  BOOST_TEST(diagnosis.period_us == 333, tt::tolerance(1e-9));
  BOOST_TEST(diagnosis.device->busy_us == 100, tt::tolerance(1e-9));
  BOOST_TEST((diagnosis.device->causes.at(0).use == launching));
  BOOST_TEST(us_of(diagnosis.device->causes, launching) > 190);
  BOOST_TEST(us_of(diagnosis.device->causes, stream_order) == 0);
  BOOST_TEST(diagnosis.reconstruction->watched_us == 341);
  BOOST_TEST(diagnosis.reconstruction->traced_us == 600);
  BOOST_TEST(!diagnosis.reconstruction->fitted);
  BOOST_TEST(diagnosis.graph.host_us == 300, tt::tolerance(1e-9));
  BOOST_TEST(says(diagnosis,
                  "Times are of the application without tracing, reconstructed from its untraced "
                  "calls and the traced lengths of its operations: 333 us an iteration, measured "
                  "341 us. With tracing, an iteration took 600 us."));
  const Recorded a = launches();
  BOOST_TEST(trace_of(a.recording).shown().event_us == 600);  // the timeline is as measured
}

BOOST_AUTO_TEST_CASE(a_loop_of_long_kernels_is_bound_by_their_order) {
  const Diagnosis diagnosis = whole_diagnosis(long_kernels());
  BOOST_TEST(diagnosis.period_us == 505, tt::tolerance(1e-9));
  BOOST_TEST(diagnosis.device->busy_us == 500, tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.device->causes, stream_order) == 5, tt::tolerance(1e-9));
  // The host is far ahead, and waits in its launches for the device's progress.
  BOOST_TEST(us_of(diagnosis.host, own_code) == 1.5, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_event_orders_two_streams) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 4, 4, 50).untraced(0, 3);
  a.record(0, R::free_one);
  a.at(4, 1).untraced(0, 0.5);
  a.wait(0, R::free_two);
  a.at(5, 1).untraced(0, 0.5);
  a.kernel(R::free_two, {});
  a.at(6, 4, 60, 20).untraced(0, 3);
  a.synchronize();
  a.at(10, 72).untraced(0, 70);
  a.recording.iteration_us = {82};
  a.recording.watched_us = {77};
  const Diagnosis diagnosis = whole_diagnosis(a);
  BOOST_TEST(diagnosis.period_us == 4 + 50 + 1 + 20 + 2, tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.device->causes, event_order) == 1, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_host_goes_on_after_a_wait_in_the_middle) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 4, 4, 20).untraced(1, 3);
  a.synchronize(R::free_one);
  a.at(4, 22).untraced(0, 20);  // returns 2 us after the kernel's end
  a.kernel(R::free_two, {});
  a.at(27, 4, 31, 30).untraced(5, 3);
  a.synchronize(R::free_two);
  a.at(31, 32).untraced(0, 30);
  a.recording.iteration_us = {63};
  a.recording.watched_us = {65};
  const ApplicationRecording recording = untraced(a);
  BOOST_TEST(recording.calls[2].start_us == 1 + 4 + 20 + 2 + 5, tt::tolerance(1e-9));
  BOOST_TEST(ran_at(recording, 2) == 36, tt::tolerance(1e-9));
  BOOST_TEST(whole_diagnosis(a).period_us == 36 + 30 + 2, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_iteration_s_work_runs_into_the_next) {
  Recorded a;  // the host waits only for the copy, so the next copy overlaps with the kernel
  a.copy(R::free_one, R::pinned, R::device);
  a.at(0, 2, 4, 30).untraced(0, 2);
  a.record(0, R::free_one);
  a.at(2, 1).untraced(0, 0.5);
  a.wait(0, R::free_two);
  a.at(3, 1).untraced(0, 0.5);
  a.kernel(R::free_two, {});
  a.at(4, 4, 42, 40).untraced(0, 3);
  a.wait_on_host(0);
  a.at(8, 28).untraced(0, 25);
  a.recording.iteration_us = {46};
  a.recording.watched_us = {41};
  const Diagnosis diagnosis = whole_diagnosis(a);
  BOOST_TEST(diagnosis.period_us == 41, tt::tolerance(1e-9));
  BOOST_TEST(diagnosis.device->idle_us < 1.001);
}

BOOST_AUTO_TEST_CASE(the_gaps_around_copies_are_as_long_as_the_measured_time_says) {
  // Untraced they take at least 2 and 3 us, and at most the 9 and 6 us seen.
  const Diagnosis least = whole_diagnosis(copies_and_a_kernel(26));
  BOOST_TEST(least.period_us == 4 + 8 + 2 + 1 + 3 + 6 + 1, tt::tolerance(1e-9));
  BOOST_TEST(!least.reconstruction->fitted);
  const Diagnosis fitted = whole_diagnosis(copies_and_a_kernel(30));
  BOOST_TEST(fitted.period_us == 30, tt::tolerance(1e-3));
  BOOST_TEST(fitted.reconstruction->fitted);
  BOOST_TEST(says(fitted, "are fitted"));
  const Diagnosis most = whole_diagnosis(copies_and_a_kernel(40));
  BOOST_TEST(most.period_us == 4 + 8 + 9 + 1 + 6 + 6 + 1, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_engine_that_was_busy_is_busy_without_the_tracer_too) {
  Recorded a;
  for (const std::uint32_t stream : {R::free_one, R::free_two}) {
    a.kernel(stream, {});
    a.at(stream == R::free_one ? 0 : 4, 4, stream == R::free_one ? 4 : 106, 100).untraced(0, 3);
  }
  for (const std::uint32_t stream : {R::blocking, R::blocking_too}) {
    a.copy(stream, R::pinned, R::device);
    a.at(stream == R::blocking ? 8 : 40, 2, stream == R::blocking ? 12 : 44, 30).untraced(0, 2);
  }
  a.synchronize();
  a.at(42, 166).untraced(0, 195);
  a.recording.iteration_us = {208};
  a.recording.watched_us = {207};
  const ApplicationRecording recording = untraced(a);
  BOOST_TEST(ran_at(recording, 1) == 105, tt::tolerance(1e-9));
  BOOST_TEST(ran_at(recording, 2) == 10, tt::tolerance(1e-9));
  BOOST_TEST(ran_at(recording, 3) == 40, tt::tolerance(1e-9));
  a.recording.calls[1].device_start_us = 8;  // both overlapped while traced
  a.recording.watched_us = {107};
  BOOST_TEST(ran_at(untraced(a), 1) == 7, tt::tolerance(1e-9));
  a.recording.calls[3].start_us = 10;
  a.recording.calls[3].device_start_us = 14;
  BOOST_TEST(ran_at(untraced(a), 3) == 12, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_call_that_does_more_than_wait_takes_its_own_time_for_that) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 4, 4, 20).untraced(0, 3);
  a.add(CallKind::free, "cuMemFree");
  a.at(4, 50).untraced(0, 49);  // 30 us longer than the kernel
  a.recording.iteration_us = {54};
  a.recording.watched_us = {54};
  BOOST_TEST(whole_diagnosis(a).period_us == 54, tt::tolerance(1e-9));
  a.recording.calls[0].device_us = 1;  // is done when the free begins, which takes 40 us by itself
  a.untraced(10, 40);
  a.recording.watched_us = {54};
  BOOST_TEST(whole_diagnosis(a).period_us == 3 + 10 + 40, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_is_not_known_or_does_not_fit_leaves_the_traced_times) {
  Recorded old = launches();
  for (RecordedCall& call : old.recording.calls) call.own_us = call.call_us = std::nullopt;
  const Diagnosis before = whole_diagnosis(old, false);
  BOOST_TEST(before.period_us == 600);
  BOOST_TEST(us_of(before.device->causes, stream_order) > 400);
  BOOST_TEST(before.graph.host_us == 450, tt::tolerance(1e-9));
  BOOST_TEST((untraced(old).calls == old.recording.calls));
  BOOST_TEST(says(before, "an iteration took 600 us with tracing"));

  Recorded far = launches();
  far.recording.watched_us = {500};
  const Diagnosis off = whole_diagnosis(far, false);
  BOOST_TEST(off.period_us == 600);
  BOOST_TEST(off.reconstruction->period_us.value() == 333, tt::tolerance(1e-9));
  BOOST_TEST(off.graph.host_us == 300, tt::tolerance(1e-9));
  BOOST_TEST(says(off, "too far off"));

  Recorded two = launches();
  two.recording.threads = 2;
  BOOST_TEST(whole_diagnosis(two, false).period_us == 600);
  two.recording.watched_us.clear();
  BOOST_TEST(!diagnosis_of(two.recording).reconstruction);
}

BOOST_AUTO_TEST_CASE(a_range_ends_after_its_last_call) {
  Recorded a = launches();
  a.recording.found = Found::range;
  a.recording.range = "step";
  a.recording.iteration_us = {610};
  BOOST_TEST(whole_diagnosis(a).period_us == 333 + 10, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_runtime_s_code_belongs_to_the_calls) {
  Recorded a = launches();
  for (RecordedCall& call : a.recording.calls) {
    call.own_us = 0.1;
    call.runtime_us = 0.2;
  }
  const Diagnosis diagnosis = whole_diagnosis(a);
  BOOST_TEST(diagnosis.period_us == 333, tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.host, own_code) == 101 * 0.1, tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.host, launching) == 100 * 3.2, tt::tolerance(1e-9));
  BOOST_TEST(diagnosis.graph.host_us == 320, tt::tolerance(1e-9));
  BOOST_TEST(untraced(a).calls[1].start_us == 0.3 + 3 + 0.3, tt::tolerance(1e-9));
}

/// Each operation follows its call and those before it: the copy out starts behind the kernel.
BOOST_AUTO_TEST_CASE(operations_that_a_replay_timed_start_in_the_order_of_their_calls) {
  Recorded a = copies_and_a_kernel(40);
  for (RecordedCall& call : a.recording.calls) call.device_start_us.reset();
  const auto started = with_starts(a.recording, HappensBefore(a.recording, 2));
  BOOST_TEST(ran_at(started, 0) == 2);
  BOOST_TEST(ran_at(started, 1) == 10);
  BOOST_TEST(ran_at(started, 2) == 11);
  BOOST_TEST(!started.calls[3].device_start_us);
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_TEST(diagnosis.device.value().busy_us == 15, tt::tolerance(1e-9));
  BOOST_TEST(says(diagnosis, "The replay timed each operation by itself"));
}

BOOST_AUTO_TEST_SUITE_END()
