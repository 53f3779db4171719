#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_capture, Fresh)

namespace {

void begin(const Stream& stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  check(cudaStreamBeginCapture(stream.get(), mode));
}

Graph end(const Stream& stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream.get(), &graph));
  return Graph(graph);
}

cudaStreamCaptureStatus status(const Stream& stream) {
  auto status = cudaStreamCaptureStatusInvalidated;
  check(cudaStreamIsCapturing(stream.get(), &status));
  return status;
}

/// Returns the code of a cudaMalloc, which a capture may forbid because it would not be recorded.
cudaError_t unsafe_call() {
  void* memory = nullptr;
  return cudaMalloc(&memory, 256);
}

/// Does the same from another thread, whose own mode is `mode`.
cudaError_t unsafe_call_elsewhere(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  cudaError_t code = cudaErrorUnknown;
  std::thread([&] {
    check(cudaThreadExchangeStreamCaptureMode(&mode));
    code = unsafe_call();
  }).join();
  return code;
}

}  // namespace

// Programming Guide 4.2.2.1.2, Stream Capture: work for a capturing stream is not enqueued but
// added to a graph; cudaStreamIsCapturing tells.
TRILANE_OUTCOMES(what_a_capturing_stream_gets_is_recorded_and_does_not_run, "-a") {
  const Stream stream = make_stream();
  BOOST_TEST(status(stream) == cudaStreamCaptureStatusNone);
  begin(stream);
  mark('a', stream.get());
  BOOST_TEST(status(stream) == cudaStreamCaptureStatusActive);
  const Graph graph = end(stream);
  BOOST_TEST(status(stream) == cudaStreamCaptureStatusNone);
  check(cudaDeviceSynchronize());
  const std::string before = trace();
  const GraphExec executable = launched(graph, stream);
  check(cudaDeviceSynchronize());
  return before + trace();
}

// Programming Guide 4.2.2.1.2.1, Cross-stream Dependencies and Events: waiting for a captured event
// puts a stream into the same capture, and ending the capture takes all its streams out.
BOOST_AUTO_TEST_CASE(waiting_for_a_captured_event_joins_the_capture) {
  const Stream origin = make_stream(), lane = make_stream(), other = make_stream();
  begin(origin);
  order(origin.get(), lane.get());
  BOOST_TEST(status(lane) == cudaStreamCaptureStatusActive);
  BOOST_TEST(status(other) == cudaStreamCaptureStatusNone);
  mark('a', lane.get());
  order(lane.get(), origin.get());
  BOOST_TEST(graph_facts(end(origin).get()).front().value == 1);
  BOOST_TEST(status(lane) == cudaStreamCaptureStatusNone);
  BOOST_TEST(status(origin) == cudaStreamCaptureStatusNone);
}

// The same: the next item of the waiting stream depends on the nodes in the event, besides those
// that its own stream has.
BOOST_AUTO_TEST_CASE(waits_become_edges_of_the_graph) {
  const Stream first = make_stream(), second = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    mark('a', origin);
    order(origin, first.get());
    order(origin, second.get());
    mark('b', first.get());
    mark('c', second.get());
    mark('d', origin);
    order(first.get(), second.get());
    mark('e', second.get());
    order(second.get(), origin);
    mark('f', origin);
  });
  // a to b, c and d; b and c to e; d and e to f.
  std::size_t nodes = 0, edges = 0, roots = 0;
  check(cudaGraphGetNodes(graph.get(), nullptr, &nodes));
  check(cudaGraphGetEdges(graph.get(), nullptr, nullptr, nullptr, &edges));
  check(cudaGraphGetRootNodes(graph.get(), nullptr, &roots));
  BOOST_TEST(nodes == 6);
  BOOST_TEST(edges == 7);
  BOOST_TEST(roots == 1);
}

// The same: after a capture the stream's next item depends on what was enqueued before it, although
// what came in between was removed.
TRILANE_OUTCOMES(a_stream_goes_on_after_a_capture_where_it_was_before, "ab") {
  const Stream stream = make_stream();
  mark('a', stream.get());
  begin(stream);
  mark('x', stream.get());
  end(stream);
  mark('b', stream.get());
  return trace_after(stream);
}

// Runtime API, Execution Control, cudaLaunchKernel: the parameters are copied from where the
// arguments point at the call.
BOOST_FIXTURE_TEST_CASE(a_capture_copies_the_arguments_of_a_kernel, OneStream) {
  char letter = 'a';
  begin(stream);
  mark(letter, stream.get());
  letter = 'b';
  const Graph graph = end(stream);
  const GraphExec executable = launched(graph, stream);
  BOOST_TEST(trace_after(stream) == "a");
}

// Runtime API, Stream Management, cudaThreadExchangeStreamCaptureMode, for this and the next three:
// a capture that was not begun as relaxed forbids its thread potentially unsafe calls, such as
// cudaMalloc.
BOOST_AUTO_TEST_CASE(the_capturing_thread_may_make_unsafe_calls_only_in_relaxed_mode) {
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    start();
    const Stream stream = make_stream();
    begin(stream, mode);
    const bool relaxed = mode == cudaStreamCaptureModeRelaxed;
    BOOST_TEST(unsafe_call() == (relaxed ? cudaSuccess : cudaErrorStreamCaptureUnsupported));
    BOOST_TEST(status(stream) ==
               (relaxed ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated));
  }
}

// Only a capture in global mode forbids them to other threads.
BOOST_AUTO_TEST_CASE(other_threads_may_not_make_unsafe_calls_beside_a_global_capture) {
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    start();
    const Stream stream = make_stream();
    begin(stream, mode);
    const bool global = mode == cudaStreamCaptureModeGlobal;
    BOOST_TEST(unsafe_call_elsewhere() ==
               (global ? cudaErrorStreamCaptureUnsupported : cudaSuccess));
  }
}

// A thread whose own mode is thread-local or relaxed ignores the captures of others.
BOOST_AUTO_TEST_CASE(a_thread_can_choose_not_to_heed_the_captures_of_others) {
  for (const auto mode : {cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    start();
    const Stream stream = make_stream();
    begin(stream);
    BOOST_TEST(unsafe_call_elsewhere(mode) == cudaSuccess);
    BOOST_TEST(status(stream) == cudaStreamCaptureStatusActive);
  }
}

// It respects its own unless it is relaxed; exchanging the mode returns the previous one.
BOOST_AUTO_TEST_CASE(a_relaxed_thread_may_make_unsafe_calls_while_it_captures) {
  for (const auto mode : {cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    start();
    const Stream stream = make_stream();
    begin(stream);
    auto exchanged = mode;
    check(cudaThreadExchangeStreamCaptureMode(&exchanged));
    BOOST_TEST(exchanged == cudaStreamCaptureModeGlobal);
    const bool relaxed = mode == cudaStreamCaptureModeRelaxed;
    BOOST_TEST(unsafe_call() == (relaxed ? cudaSuccess : cudaErrorStreamCaptureUnsupported));
    check(cudaThreadExchangeStreamCaptureMode(&exchanged));
    BOOST_TEST(exchanged == mode);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
