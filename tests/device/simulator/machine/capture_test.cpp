// Captures with fully determined rules: nodes, destroyed streams, and costs.
#include "common/device/simulator/machine/graphs.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(captures, Fresh)

namespace {

void begin(const Stream& stream) {
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
}

/// Returns the code with which the capture ends.
cudaError_t end(const Stream& stream) {
  cudaGraph_t graph = nullptr;
  const cudaError_t code = cudaStreamEndCapture(stream.get(), &graph);
  if (code == cudaSuccess) check(cudaGraphDestroy(graph));
  return code;
}

std::size_t edges_of(const Graph& graph) {
  std::size_t count = 0;
  check(cudaGraphGetEdges(graph.get(), nullptr, nullptr, nullptr, &count));
  return count;
}

}  // namespace

// Runtime API, Graph Management, cudaGraphNodeGetType, and 4.2.1.1 of the Programming Guide, Node
// Types.
BOOST_AUTO_TEST_CASE(every_kind_of_operation_becomes_a_node_of_its_type) {
  const DeviceBuffer memory = make_device_buffer(8);
  const PinnedBuffer host = make_pinned_buffer(4);
  const Graph graph = capture([&](cudaStream_t origin) {
    check(cudaMemcpyAsync(memory.get(), host.get(), 4, cudaMemcpyDefault, origin));
    check(cudaMemsetAsync(memory.get(), 0, 4, origin));
    mark('a', origin);
    check(cudaMemcpyAsync(memory.get() + 4, memory.get(), 4, cudaMemcpyDefault, origin));
    check(cudaMemcpyAsync(host.get(), memory.get(), 4, cudaMemcpyDefault, origin));
    check(cudaLaunchHostFunc(
        origin, [](void*) {}, nullptr));
    void* allocated = nullptr;
    check(cudaMallocAsync(&allocated, 4, origin));
    check(cudaFreeAsync(allocated, origin));
  });
  const cudaGraphNodeType expected[] = {cudaGraphNodeTypeMemcpy,   cudaGraphNodeTypeMemset,
                                        cudaGraphNodeTypeKernel,   cudaGraphNodeTypeMemcpy,
                                        cudaGraphNodeTypeMemcpy,   cudaGraphNodeTypeHost,
                                        cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree};
  cudaGraphNode_t nodes[8] = {};
  std::size_t count = std::size(nodes);
  check(cudaGraphGetNodes(graph.get(), nodes, &count));
  BOOST_TEST_REQUIRE(count == std::size(expected));
  for (std::size_t i = 0; i < count; ++i) {
    auto type = cudaGraphNodeTypeEmpty;
    check(cudaGraphNodeGetType(nodes[i], &type));
    BOOST_TEST(type == expected[i], "node " << i + 1);
  }
}

// Programming Guide 4.2.2.1.2.1: the next item gets the nodes of the event as dependencies; there
// is one edge from a node to another.
BOOST_AUTO_TEST_CASE(waiting_twice_for_an_event_gives_one_edge) {
  const Stream lane = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    mark('a', origin);
    for (int i = 0; i < 2; ++i) order(origin, lane.get());
    mark('b', lane.get());
    order(lane.get(), origin);
  });
  BOOST_TEST(edges_of(graph) == 1u);
}

// Runtime API, Stream Management, cudaStreamDestroy: the work of a stream outlives it. In a capture
// that is its nodes.
BOOST_AUTO_TEST_CASE(the_nodes_of_a_destroyed_stream_stay) {
  const Graph graph = capture([](cudaStream_t origin) {
    const Stream lane = make_stream();
    mark('a', origin);
    order(origin, lane.get());
    mark('b', lane.get());
    order(lane.get(), origin);
  });
  BOOST_TEST(edges_of(graph) == 1u);
}

// The same if the stream was not joined: Programming Guide 4.2.2.1.2.1.
BOOST_AUTO_TEST_CASE(a_stream_destroyed_before_it_is_joined_fails_the_capture) {
  const Stream origin = make_stream();
  Stream lane = make_stream();
  begin(origin);
  order(origin.get(), lane.get());
  mark('b', lane.get());
  lane.reset();
  BOOST_TEST(end(origin) == cudaErrorStreamCaptureUnjoined);
}

// A capture whose origin is destroyed could never be ended: it must not keep forbidding calls.
BOOST_AUTO_TEST_CASE(a_capture_goes_with_its_origin) {
  Stream origin = make_stream();
  const Stream lane = make_stream();
  begin(origin);
  mark('a', origin.get());
  order(origin.get(), lane.get());
  origin.reset();
  const DeviceBuffer memory = make_device_buffer(4);
  mark('b', lane.get());
  BOOST_TEST(cudaDeviceSynchronize() == cudaSuccess);
  BOOST_TEST(trace() == "b");
  BOOST_TEST(machine().graphs.empty());
}

// Runtime API, Stream Management, cudaStreamBeginCapture.
BOOST_FIXTURE_TEST_CASE(there_are_three_modes, OneStream) {
  BOOST_TEST(cudaStreamBeginCapture(stream.get(), static_cast<cudaStreamCaptureMode>(3)) ==
             cudaErrorInvalidValue);
  BOOST_TEST(end(stream) == cudaErrorIllegalState);
}

// Programming Guide 4.2.2.1.2, Stream Capture: not for the legacy stream, so no event can pull it
// in.
BOOST_AUTO_TEST_CASE(the_legacy_stream_cannot_join_a_capture) {
  const Stream origin = make_stream();
  begin(origin);
  const Event event = make_ordering_event();
  check(cudaEventRecord(event.get(), origin.get()));
  BOOST_TEST(cudaStreamWaitEvent(nullptr, event.get(), 0) == cudaErrorStreamCaptureImplicit);
  BOOST_TEST(end(origin) == cudaErrorStreamCaptureInvalidated);
}

BOOST_AUTO_TEST_CASE(what_is_captured_costs_the_host_what_the_profile_says) {
  simulator::Settings settings;
  settings.profile.calls_us["capture"] = 2;
  settings.profile.calls_us["cudaStreamEndCapture"] = 7;
  start(settings);
  const Stream origin = make_stream();
  begin(origin);
  for (const char letter : {'a', 'b', 'c'}) mark(letter, origin.get());
  BOOST_TEST(machine().timeline.now() == 6);
  BOOST_TEST(end(origin) == cudaSuccess);
  BOOST_TEST(machine().timeline.now() == 13);
}

BOOST_AUTO_TEST_CASE(a_node_comes_after_all_that_it_depends_on) {
  CUgraphNode_st top{.number = 1, .task = nullptr, .dependencies = {}};
  CUgraphNode_st left{.number = 2, .task = nullptr, .dependencies = {&top}};
  CUgraphNode_st right{.number = 3, .task = nullptr, .dependencies = {&top}};
  CUgraphNode_st bottom{.number = 4, .task = nullptr, .dependencies = {&left, &right}};
  using trilane::simulator::comes_after;
  BOOST_TEST(comes_after({&bottom}, &bottom));
  BOOST_TEST(comes_after({&bottom}, &top));
  BOOST_TEST(comes_after({&left, &right}, &right));
  BOOST_TEST(!comes_after({&left}, &right));
  BOOST_TEST(!comes_after({&left}, &bottom));
  BOOST_TEST(!comes_after({}, &top));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
