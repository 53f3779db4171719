// Waits that are called useless, and those that must not be.
#include "common/application/diagnosis/call_findings.hpp"
#include "tests/application/diagnosis/recorded.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(waits_that_wait_for_nothing)

using R = Recorded;
using Places = std::vector<std::size_t>;

/// Returns the calls that wait for nothing.
Places useless(const Recorded& a) {
  const std::vector<bool> proven = waits_for_nothing(a.recording);
  Places places;
  for (std::size_t i = 0; i < proven.size(); ++i) {
    if (proven[i]) places.push_back(i);
  }
  return places;
}

BOOST_AUTO_TEST_CASE(what_the_host_or_the_stream_has_just_waited_for) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.wait(1, R::free_two);
  a.wait(1, R::free_two);  // useless
  a.kernel(R::free_two, {});
  a.synchronize();
  a.synchronize(R::free_one);  // useless
  a.wait(1, R::free_one);      // useless
  a.wait_on_host(1);           // useless
  a.synchronize();             // useless
  BOOST_TEST(useless(a) == (Places{3, 6, 7, 8, 9}), tt::per_element());
  a.recording.found = Found::range;
  BOOST_TEST(useless(a).size() == 5u);
  a.recording.found = Found::none;
  BOOST_TEST(useless(a).empty());
}

BOOST_AUTO_TEST_CASE(a_stream_s_last_event_stands_for_the_stream) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.wait_on_host(1);
  a.synchronize(R::free_one);  // useless
  BOOST_TEST(useless(a) == Places{3}, tt::per_element());
  a.synchronize();  // other streams may have work
  BOOST_TEST(useless(a) == Places{3}, tt::per_element());
}

BOOST_AUTO_TEST_CASE(streams_without_a_call_in_the_iteration_may_have_work) {
  Recorded a;
  for (std::uint32_t stream = 0; stream < a.recording.streams.size(); ++stream) {
    a.synchronize(stream);
  }
  a.synchronize();
  a.synchronize();  // useless
  BOOST_TEST(useless(a) == Places{6}, tt::per_element());
}

/// A ring of events: each step waits for the event of an earlier one, which has another number.
BOOST_AUTO_TEST_CASE(an_event_of_an_earlier_iteration_may_be_under_way) {
  Recorded ring;
  ring.kernel(R::free_one, {});
  ring.copy(R::free_one, R::device, R::pinned);
  ring.record(0, R::free_one);
  ring.wait_on_host(1);
  BOOST_TEST(useless(ring).empty());

  Recorded by_stream;  // the consumer frees what the producer allocates
  by_stream.wait_on_host(0);
  by_stream.kernel(R::free_one, {});
  by_stream.record(1, R::free_one);
  by_stream.wait(1, R::free_two);
  by_stream.kernel(R::free_two, {});
  by_stream.record(0, R::free_two);
  BOOST_TEST(useless(by_stream).empty());

  Recorded buffers;  // two of them, alternating
  buffers.wait_on_host(0);
  buffers.copy(R::blocking, R::pinned, R::device);
  buffers.record(1, R::blocking);
  buffers.wait(1, R::blocking_too);
  buffers.kernel(R::legacy, {R::device});
  buffers.kernel(R::blocking_too, {R::device});
  buffers.record(0, R::blocking_too);
  BOOST_TEST(useless(buffers).empty());
}

BOOST_AUTO_TEST_CASE(what_was_issued_before_the_iteration_may_be_under_way) {
  Recorded a;
  a.wait(1, R::free_two);
  a.synchronize(R::free_one);
  a.synchronize(R::free_one);  // useless
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.synchronize();
  BOOST_TEST(useless(a) == Places{2}, tt::per_element());
}

/// The host may rely on the stream for the event's work.
BOOST_AUTO_TEST_CASE(a_stream_that_waits_for_an_unknown_event_may_be_under_way) {
  Recorded a;
  a.synchronize(R::free_one);
  a.wait(7, R::free_one);
  a.synchronize(R::free_one);
  BOOST_TEST(useless(a).empty());
  Recorded known;
  known.kernel(R::free_two, {});
  known.record(7, R::free_two);
  known.synchronize(R::free_one);
  known.wait(7, R::free_one);
  known.synchronize(R::free_one);
  BOOST_TEST(useless(known).empty());
}

/// cudaEventElapsedTime fails for an event that is not done.
BOOST_AUTO_TEST_CASE(an_event_recorded_since_the_wait_may_be_under_way) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.synchronize();
  a.record(1, R::free_one);
  a.wait_on_host(1);
  BOOST_TEST(useless(a).empty());
}

/// Advice may remove them: a synchronous copy's wait, that of cudaFree, and the legacy stream.
BOOST_AUTO_TEST_CASE(calls_that_wait_by_the_way_prove_nothing) {
  Recorded a;
  a.copy(R::free_one, R::device, R::pageable);
  a.synchronize(R::free_one);
  a.kernel(R::free_one, {});
  a.copy(R::free_one, R::device, R::pinned).synchronous = true;
  a.synchronize(R::free_one);
  a.kernel(R::free_one, {});
  a.add(CallKind::free, "cuMemFree");
  a.synchronize(R::free_one);
  a.kernel(R::free_one, {});
  a.add(CallKind::query, "cuStreamQuery", R::free_one);
  a.synchronize(R::free_one);
  BOOST_TEST(useless(a).empty());
  Recorded legacy;
  legacy.kernel(R::blocking, {});
  legacy.record(1, R::blocking);
  legacy.kernel(R::legacy, {});
  legacy.wait(1, R::blocking_too);
  BOOST_TEST(useless(legacy).empty());
}

BOOST_AUTO_TEST_CASE(the_legacy_stream_puts_waits_into_others) {
  Recorded a;
  a.synchronize(R::blocking);
  a.synchronize(R::legacy);
  a.kernel(R::legacy, {});
  a.synchronize(R::blocking);  // which waits for the kernel
  a.kernel(R::blocking, {});
  a.synchronize(R::legacy);  // the same
  BOOST_TEST(useless(a).empty());
  Recorded free = a;
  free.recording.calls[2].stream = free.recording.calls[4].stream = R::free_two;
  BOOST_TEST(useless(free) == (Places{3, 5}), tt::per_element());
  Recorded waiting;
  waiting.kernel(R::free_one, {});
  waiting.record(1, R::free_one);
  waiting.synchronize(R::legacy);
  waiting.wait(1, R::blocking);
  waiting.synchronize(R::legacy);  // which waits for that stream
  BOOST_TEST(useless(waiting).empty());
  Recorded barrier;
  barrier.record(1, R::free_one);
  barrier.wait_on_host(1);
  barrier.wait(1, R::legacy);  // keeps blocking streams apart
  barrier.wait(1, R::blocking);
  BOOST_TEST(useless(barrier) == Places{3}, tt::per_element());
}

/// A programmatic launch after the second wait could overlap the kernel before it.
BOOST_AUTO_TEST_CASE(a_wait_between_two_kernels_of_a_stream_may_keep_them_apart) {
  Recorded a;
  a.record(1, R::free_one);
  a.wait(1, R::free_two);
  a.kernel(R::free_two, {});
  a.wait(1, R::free_two);
  a.kernel(R::free_two, {});
  BOOST_TEST(useless(a).empty());
}

BOOST_AUTO_TEST_CASE(a_call_of_unknown_effect_may_issue_work_and_record_events) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.synchronize();
  a.add(CallKind::other, "cuCtxRecordEvent");
  a.wait(1, R::free_two);
  a.wait_on_host(1);
  a.synchronize(R::free_one);
  a.synchronize();
  BOOST_TEST(useless(a).empty());
  a.recording.calls[3].kind = CallKind::change_graph;
  BOOST_TEST(useless(a).size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_graph_may_record_the_event) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.synchronize();
  a.add(CallKind::graph_launch, "cuGraphLaunch", R::free_one);
  a.wait(1, R::free_two);
  const auto finds = [&] { return useless(a).size(); };
  BOOST_TEST(finds() == 0u);  // nothing is known of the graph
  a.recording.calls[3].graph = 0;
  a.recording.graphs.resize(1);
  BOOST_TEST(finds() == 1u);
  a.recording.graphs[0].nodes.resize(1);
  BOOST_TEST(finds() == 0u);
}

BOOST_AUTO_TEST_CASE(threads_contexts_and_loops_that_change_prove_nothing) {
  Recorded a;
  a.synchronize();
  a.synchronize();
  BOOST_TEST(useless(a) == Places{1}, tt::per_element());
  a.recording.threads = 2;
  BOOST_TEST(useless(a).empty());
  a.recording.threads = 1;
  a.recording.contexts = 2;
  BOOST_TEST(useless(a).empty());
  a.recording.contexts.reset();
  BOOST_TEST(useless(a).empty());
  a.recording.contexts = 1;
  a.recording.broken.emplace();  // an iteration may issue work between the two
  BOOST_TEST(useless(a).empty());
}

BOOST_AUTO_TEST_SUITE_END()
