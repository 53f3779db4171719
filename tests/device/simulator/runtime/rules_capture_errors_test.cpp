#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_capture_errors, Fresh)

namespace {

/// A capture under way, with an event recorded inside.
struct Capturing {
  explicit Capturing(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal,
                     Stream on = make_stream())
      : origin(std::move(on)) {
    check(cudaStreamBeginCapture(origin.get(), mode));
    mark('a', origin.get());
    check(cudaEventRecord(event.get(), origin.get()));
  }

  cudaStreamCaptureStatus status() const {
    auto found = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(origin.get(), &found));
    return found;
  }

  /// Returns the code with which it ends; it leaves a graph only with success.
  cudaError_t end() {
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(this);
    const cudaError_t code = cudaStreamEndCapture(origin.get(), &graph);
    BOOST_TEST((graph != nullptr) == (code == cudaSuccess));
    if (code == cudaSuccess) check(cudaGraphDestroy(graph));
    BOOST_TEST(status() == cudaStreamCaptureStatusNone);
    return code;
  }

  Stream origin;
  Event event = make_ordering_event();
};

/// Checks that `mistake` returned `expected` and broke the capture.
void spoils(Capturing& capturing, cudaError_t mistake, cudaError_t expected) {
  BOOST_TEST(mistake == expected);
  BOOST_TEST(capturing.status() == cudaStreamCaptureStatusInvalidated);
  BOOST_TEST(capturing.end() == cudaErrorStreamCaptureInvalidated);
}

}  // namespace

// Programming Guide 4.2.2.1.2.2, Prohibited and Unhandled Operations: a capturing stream can be
// neither waited for nor queried; nor can anything that includes it, such as the device. The codes
// are those of the Runtime API, Data types, cudaError.
BOOST_AUTO_TEST_CASE(a_capturing_stream_can_be_neither_waited_for_nor_queried) {
  for (int mistake = 0; mistake < 3; ++mistake) {
    start();
    Capturing capturing(cudaStreamCaptureModeRelaxed);
    const cudaError_t code = mistake == 0   ? cudaStreamSynchronize(capturing.origin.get())
                             : mistake == 1 ? cudaStreamQuery(capturing.origin.get())
                                            : cudaDeviceSynchronize();
    spoils(capturing, code, cudaErrorStreamCaptureUnsupported);
  }
}

// The same for a captured event; and Runtime API, cudaThreadExchangeStreamCaptureMode: in relaxed
// mode too.
BOOST_AUTO_TEST_CASE(a_captured_event_can_be_neither_waited_for_nor_queried) {
  for (const auto call : {cudaEventSynchronize, cudaEventQuery}) {
    start();
    Capturing capturing(cudaStreamCaptureModeRelaxed);
    spoils(capturing, call(capturing.event.get()), cudaErrorCapturedEvent);
  }
}

// Programming Guide 4.2.2.1.2.3, Invalidation: until the capture is ended, every use of its streams
// and events is an error; ending it takes all of them out, returns an error and no graph.
BOOST_AUTO_TEST_CASE(an_invalidated_capture_can_only_be_ended) {
  const DeviceBuffer memory = make_device_buffer(4);
  const Stream lane = make_stream(), other = make_stream();
  Capturing capturing;
  check(cudaStreamWaitEvent(lane.get(), capturing.event.get(), 0));
  cudaStreamQuery(capturing.origin.get());
  const cudaError_t invalid = cudaErrorStreamCaptureInvalidated;
  BOOST_TEST(cudaMemsetAsync(memory.get(), 0, 4, lane.get()) == invalid);
  BOOST_TEST(cudaEventRecord(capturing.event.get(), lane.get()) == invalid);
  BOOST_TEST(cudaStreamWaitEvent(other.get(), capturing.event.get(), 0) != cudaSuccess);
  BOOST_TEST(capturing.end() == invalid);
  mark('b', lane.get());
  BOOST_TEST(cudaStreamSynchronize(lane.get()) == cudaSuccess);
  BOOST_TEST(trace() == "b");
}

// Programming Guide 4.2.2.1.2.1: streams that joined the capture must be joined back to its origin.
BOOST_AUTO_TEST_CASE(a_lane_that_is_not_joined_fails_the_capture) {
  Capturing capturing;
  const Stream lane = make_stream();
  check(cudaStreamWaitEvent(lane.get(), capturing.event.get(), 0));
  mark('b', lane.get());
  BOOST_TEST(capturing.end() == cudaErrorStreamCaptureUnjoined);
  BOOST_TEST(cudaStreamQuery(lane.get()) == cudaSuccess);
}

// The same: work that a lane gets after its join has to be joined again.
BOOST_AUTO_TEST_CASE(a_lane_that_goes_on_after_its_join_fails_the_capture) {
  Capturing capturing;
  const Stream lane = make_stream();
  order(capturing.origin.get(), lane.get());
  mark('b', lane.get());
  order(lane.get(), capturing.origin.get());
  mark('c', lane.get());
  BOOST_TEST(capturing.end() == cudaErrorStreamCaptureUnjoined);
}

// Programming Guide 4.2.2.1.2.2: two captures cannot be merged, and 4.2.2.1.2.3: every capture
// involved in the mistake is invalid.
BOOST_AUTO_TEST_CASE(waiting_for_an_event_of_another_capture_spoils_both) {
  Capturing first, second;
  const cudaError_t code = cudaStreamWaitEvent(second.origin.get(), first.event.get(), 0);
  spoils(second, code, cudaErrorStreamCaptureMerge);
  spoils(first, code, cudaErrorStreamCaptureMerge);
}

// The same: a capturing stream cannot wait for an event recorded outside of captures.
BOOST_AUTO_TEST_CASE(waiting_for_an_event_from_outside_spoils_the_capture) {
  const Stream outside = make_stream();
  const Event event = make_ordering_event();
  mark('x', outside.get());
  check(cudaEventRecord(event.get(), outside.get()));
  Capturing capturing;
  spoils(capturing, cudaStreamWaitEvent(capturing.origin.get(), event.get(), 0),
         cudaErrorStreamCaptureIsolation);
}

// The same: while a blocking stream captures, the legacy stream stands for it too and cannot be
// used, nor can the synchronous calls that work on it.
BOOST_AUTO_TEST_CASE(the_legacy_stream_cannot_be_used_while_a_blocking_stream_captures) {
  for (int mistake = 0; mistake < 4; ++mistake) {
    start();
    const DeviceBuffer memory = make_device_buffer(4);
    const Event event = make_ordering_event();
    Capturing capturing(cudaStreamCaptureModeRelaxed, make_blocking_stream());
    int word = 0;
    const cudaError_t code = mistake == 0   ? cudaMemsetAsync(memory.get(), 0, 4, nullptr)
                             : mistake == 1 ? cudaStreamSynchronize(nullptr)
                             : mistake == 2
                                 ? cudaEventRecord(event.get(), nullptr)
                                 : cudaMemcpy(memory.get(), &word, 4, cudaMemcpyHostToDevice);
    spoils(capturing, code, cudaErrorStreamCaptureImplicit);
  }
}

// This does not apply if the capturing stream does not synchronise with the legacy stream.
BOOST_AUTO_TEST_CASE(the_legacy_stream_can_be_used_while_a_nonblocking_stream_captures) {
  Capturing capturing(cudaStreamCaptureModeRelaxed);
  mark('x', nullptr);
  BOOST_TEST(cudaStreamSynchronize(nullptr) == cudaSuccess);
  BOOST_TEST(trace() == "x");
  BOOST_TEST(capturing.end() == cudaSuccess);
}

// Runtime API, Stream Management, cudaStreamIsCapturing: on the legacy stream it returns
// cudaErrorStreamCaptureImplicit while a blocking stream captures, and breaks nothing.
BOOST_AUTO_TEST_CASE(asking_the_legacy_stream_whether_it_captures_spoils_nothing) {
  Capturing capturing(cudaStreamCaptureModeGlobal, make_blocking_stream());
  auto status = cudaStreamCaptureStatusNone;
  BOOST_TEST(cudaStreamIsCapturing(nullptr, &status) == cudaErrorStreamCaptureImplicit);
  BOOST_TEST(capturing.end() == cudaSuccess);
}

// Runtime API, cudaStreamBeginCapture: not on the legacy stream, and not on a capturing one.
BOOST_AUTO_TEST_CASE(a_capture_cannot_begin_on_the_legacy_or_a_capturing_stream) {
  BOOST_TEST(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) != cudaSuccess);
  const Capturing capturing;
  BOOST_TEST(cudaStreamBeginCapture(capturing.origin.get(), cudaStreamCaptureModeGlobal) !=
             cudaSuccess);
}

// Runtime API, cudaStreamEndCapture: only on the stream on which it began.
BOOST_AUTO_TEST_CASE(a_capture_ends_only_on_its_origin) {
  Capturing capturing;
  const Stream lane = make_stream(), other = make_stream();
  order(capturing.origin.get(), lane.get());
  cudaGraph_t graph = nullptr;
  BOOST_TEST(cudaStreamEndCapture(lane.get(), &graph) == cudaErrorStreamCaptureUnmatched);
  BOOST_TEST(cudaStreamEndCapture(other.get(), &graph) != cudaSuccess);
}

// Runtime API, cudaStreamEndCapture: from the thread that began it, unless that was in relaxed
// mode.
BOOST_AUTO_TEST_CASE(only_a_relaxed_capture_may_end_in_another_thread) {
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    start();
    const Capturing capturing(mode);
    cudaError_t code = cudaErrorUnknown;
    cudaGraph_t graph = nullptr;
    std::thread([&] { code = cudaStreamEndCapture(capturing.origin.get(), &graph); }).join();
    BOOST_TEST(code == (mode == cudaStreamCaptureModeRelaxed ? cudaSuccess
                                                             : cudaErrorStreamCaptureWrongThread));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
