// Events with fully determined rules: handles, flags, times, and what they hold.
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(events, Fresh)

namespace {

/// Returns a device on which a memset takes 10 us, a record takes 5 us on the host, and everything
/// else takes nothing.
Settings slow_memset() {
  Settings settings;
  settings.profile.memory_bytes = mebibyte;
  settings.profile.engine.duration[index_of(Kind::memset)] = {{0, 10}};
  settings.profile.calls_us["cudaEventRecord"] = 5;
  return settings;
}

float elapsed_ms(const Event& from, const Event& to) {
  float ms = -1;
  check(cudaEventElapsedTime(&ms, from.get(), to.get()));
  return ms;
}

}  // namespace

// Runtime API, Event Management, cudaEventElapsedTime: milliseconds between the two.
BOOST_AUTO_TEST_CASE(elapsed_time_is_that_of_the_work_between) {
  start(slow_memset());
  const Stream stream = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  const Event first = make_timing_event(), last = make_timing_event();
  check(cudaEventRecord(first.get(), stream.get()));
  check(cudaMemsetAsync(memory.get(), 0, 4, stream.get()));
  check(cudaEventRecord(last.get(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(elapsed_ms(first, last) == 0.010F);
  BOOST_TEST(elapsed_ms(last, first) == -0.010F);
  BOOST_TEST(elapsed_ms(last, last) == 0.F);
}

// The same on an idle stream: the time of the record itself.
BOOST_AUTO_TEST_CASE(an_event_on_an_idle_stream_has_the_time_of_its_record) {
  start(slow_memset());
  const Stream stream = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  const Event first = make_timing_event(), last = make_timing_event();
  check(cudaMemsetAsync(memory.get(), 0, 4, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  check(cudaEventRecord(first.get(), stream.get()));
  check(cudaEventRecord(last.get(), stream.get()));
  BOOST_TEST(elapsed_ms(first, last) == 0.005F);
}

// Runtime API, Event Management, cudaEventCreateWithFlags; interprocess events are not modelled.
BOOST_AUTO_TEST_CASE(unknown_flags_and_handles_are_refused) {
  cudaEvent_t event = nullptr;
  BOOST_TEST(cudaEventCreateWithFlags(&event, 0x80) == cudaErrorInvalidValue);
  BOOST_TEST(cudaEventCreateWithFlags(nullptr, cudaEventDefault) == cudaErrorInvalidValue);
  check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  check(cudaEventDestroy(event));
  BOOST_TEST(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaEventRecord(event, nullptr) == cudaErrorInvalidResourceHandle);
  const Stream stream = make_stream();
  BOOST_TEST(cudaStreamWaitEvent(stream.get(), event, 0) == cudaErrorInvalidResourceHandle);
}

// Runtime API, Stream synchronization behavior, Legacy default stream: an action in it, for example
// cudaStreamWaitEvent, first waits for all blocking streams, and all of them wait for it.
TRILANE_OUTCOMES(a_wait_in_the_legacy_stream_is_a_barrier_among_blocking_streams, "abx bax") {
  const Stream first = make_blocking_stream(), second = make_blocking_stream();
  const Stream other = make_stream();
  const Event event = make_ordering_event();
  mark('a', first.get());
  mark('b', other.get());
  check(cudaEventRecord(event.get(), other.get()));
  check(cudaStreamWaitEvent(nullptr, event.get(), 0));
  mark('x', second.get());
  return trace_at_end();
}

// The same: what an event in the legacy stream holds is that of all blocking streams.
TRILANE_OUTCOMES(an_event_in_the_legacy_stream_covers_blocking_streams, "ax") {
  const Stream blocking = make_blocking_stream(), other = make_stream();
  mark('a', blocking.get());
  order(nullptr, other.get());
  mark('x', other.get());
  return trace_at_end();
}

// Programming Guide 4.2.2.1.2.2: CUDA rather returns an error than ignores a dependency on captured
// work. Runtime API, Data types, cudaErrorCapturedEvent: of the event's last record.
BOOST_FIXTURE_TEST_CASE(a_captured_event_stays_captured_until_it_is_recorded_again, OneStream) {
  const Event event = make_ordering_event();
  check(cudaEventRecord(event.get(), stream.get()));
  capture([&](cudaStream_t origin) { check(cudaEventRecord(event.get(), origin)); });
  BOOST_TEST(cudaEventQuery(event.get()) == cudaErrorCapturedEvent);
  BOOST_TEST(cudaEventSynchronize(event.get()) == cudaErrorCapturedEvent);
  BOOST_TEST(cudaStreamWaitEvent(stream.get(), event.get(), 0) == cudaErrorCapturedEvent);
  check(cudaEventRecord(event.get(), stream.get()));
  BOOST_TEST(cudaEventQuery(event.get()) == cudaSuccess);
  BOOST_TEST(cudaStreamWaitEvent(stream.get(), event.get(), 0) == cudaSuccess);
}

// A stream that never runs anything itself waits pass after pass: it must not accumulate all waits.
BOOST_AUTO_TEST_CASE(a_stream_that_only_waits_keeps_what_was_last) {
  const Stream origin = make_stream(), lane = make_stream(), other = make_stream();
  for (int pass = 0; pass < 20; ++pass) {
    mark('a', lane.get());
    order(lane.get(), origin.get());
    order(origin.get(), other.get());
    mark('b', other.get());
    order(other.get(), lane.get());
  }
  BOOST_TEST(origin->tail.size() == 1u);
  check(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
