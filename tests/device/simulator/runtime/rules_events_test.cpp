#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_events, Fresh)

namespace {

/// Two streams, and an event that the first records and the second waits for.
struct Two {
  Stream first = make_stream(), second = make_stream();
  Event event = make_ordering_event();

  void record() const { check(cudaEventRecord(event.get(), first.get())); }
  void wait() const { check(cudaStreamWaitEvent(second.get(), event.get(), 0)); }
};

}  // namespace

// Runtime API, Stream Management, cudaStreamWaitEvent: later work of the stream waits for the work
// that the event captured; earlier work does not.
TRILANE_OUTCOMES(a_wait_orders_what_comes_after_it, "axy xay") {
  const Two two;
  mark('a', two.first.get());
  two.record();
  mark('x', two.second.get());
  two.wait();
  mark('y', two.second.get());
  return trace_at_end();
}

// Runtime API, Event Management, cudaEventRecord: it captures the stream at the time of the call,
// without the stream's later work.
TRILANE_OUTCOMES(an_event_does_not_cover_what_its_stream_gets_later, "abx axb") {
  const Two two;
  mark('a', two.first.get());
  two.record();
  mark('b', two.first.get());
  two.wait();
  mark('x', two.second.get());
  return trace_at_end();
}

// Runtime API, cudaEventRecord: recording again overwrites, and a later wait takes the last record
// and no earlier one.
TRILANE_OUTCOMES(recording_again_overwrites, "abcx abxc axbc bacx baxc bcax") {
  const Two two;
  const Stream third = make_stream();
  two.record();
  mark('a', two.first.get());
  two.record();
  two.wait();
  mark('x', two.second.get());
  check(cudaEventRecord(two.event.get(), two.second.get()));
  mark('b', third.get());
  check(cudaEventRecord(two.event.get(), third.get()));
  check(cudaStreamWaitEvent(third.get(), two.event.get(), 0));
  mark('c', third.get());
  return trace_at_end();
}

// Runtime API, cudaEventRecord: a wait uses the record at the time of its call; later records do
// not change it.
TRILANE_OUTCOMES(a_wait_is_not_moved_by_a_later_record, "abx axb") {
  const Two two;
  mark('a', two.first.get());
  two.record();
  two.wait();
  mark('b', two.first.get());
  two.record();
  mark('x', two.second.get());
  return trace_at_end();
}

// Runtime API, cudaEventRecord: before its first record an event stands for no work: it is complete
// and a wait for it orders nothing.
TRILANE_OUTCOMES(an_event_never_recorded_orders_nothing, "ax xa") {
  const Two two;
  mark('a', two.first.get());
  two.wait();
  mark('x', two.second.get());
  BOOST_TEST(cudaEventQuery(two.event.get()) == cudaSuccess);
  BOOST_TEST(cudaEventSynchronize(two.event.get()) == cudaSuccess);
  BOOST_TEST(trace() == "-");
  return trace_at_end();
}

// Programming Guide 2.3.3, CUDA Events: events and waits build up a graph of dependencies; fork and
// join, and an order that is passed on from stream to stream.
TRILANE_OUTCOMES(lanes_fork_from_a_stream_and_join_it_again, "abcd acbd") {
  const Stream origin = make_stream(), first = make_stream(), second = make_stream();
  mark('a', origin.get());
  order(origin.get(), first.get());
  order(origin.get(), second.get());
  mark('b', first.get());
  mark('c', second.get());
  order(first.get(), origin.get());
  order(second.get(), origin.get());
  mark('d', origin.get());
  return trace_after(origin);
}

TRILANE_OUTCOMES(order_is_handed_on_from_stream_to_stream, "ab") {
  const Stream first = make_stream(), second = make_stream(), third = make_stream();
  mark('a', first.get());
  order(first.get(), second.get());
  order(second.get(), third.get());
  mark('b', third.get());
  return trace_after(third);
}

// Runtime API, Event Management, cudaEventSynchronize: waits for the captured work and nothing
// else.
TRILANE_OUTCOMES(waiting_for_an_event_leaves_later_work_free, "with without") {
  const Two two;
  mark('a', two.first.get());
  two.record();
  mark('b', two.first.get());
  mark('x', two.second.get());
  check(cudaEventSynchronize(two.event.get()));
  BOOST_TEST(trace().find('a') != std::string::npos);
  return std::string(trace().find('x') == std::string::npos ? "without" : "with");
}

// Runtime API, Event Management, cudaEventQuery: success or cudaErrorNotReady, without waiting.
TRILANE_OUTCOMES(a_query_says_whether_the_captured_work_is_done, "cudaErrorNotReady done") {
  const Two two;
  mark('a', two.first.get());
  two.record();
  mark('x', two.second.get());
  check(cudaStreamSynchronize(two.second.get()));
  const cudaError_t code = cudaEventQuery(two.event.get());
  if (code == cudaSuccess) BOOST_TEST(ran() == "ax");
  return std::string(code == cudaSuccess ? "done" : cudaGetErrorName(code));
}

// Runtime API, Event Management, cudaEventDestroy: allowed before the event is complete; the waits
// for it stay.
TRILANE_OUTCOMES(a_wait_outlives_its_event, "ax") {
  Two two;
  mark('a', two.first.get());
  two.record();
  two.wait();
  two.event.reset();
  mark('x', two.second.get());
  return trace_at_end();
}

// Runtime API, Event Management, cudaEventElapsedTime: cudaErrorInvalidResourceHandle for an event
// without timing or never recorded, cudaErrorNotReady for one not complete.
BOOST_FIXTURE_TEST_CASE(elapsed_time_needs_two_complete_events_with_timing, OneStream) {
  const Event first = make_timing_event(), last = make_timing_event();
  const Event untimed = make_ordering_event();
  float ms = -1;
  const auto elapsed = [&](const Event& from, const Event& to) {
    return cudaEventElapsedTime(&ms, from.get(), to.get());
  };
  check(cudaEventRecord(first.get(), stream.get()));
  BOOST_TEST(elapsed(first, last) == cudaErrorInvalidResourceHandle);
  mark('a', stream.get());
  check(cudaEventRecord(last.get(), stream.get()));
  check(cudaEventRecord(untimed.get(), stream.get()));
  BOOST_TEST(elapsed(first, last) == cudaErrorNotReady);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(elapsed(first, untimed) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(elapsed(untimed, last) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(elapsed(first, last) == cudaSuccess);
  BOOST_TEST(ms > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
