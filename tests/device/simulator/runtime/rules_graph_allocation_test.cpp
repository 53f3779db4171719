// Memory of graphs: launches of it, and the device memory behind it.
#include "tests/device/simulator/runtime/graph_memory_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_graph_allocation, Fresh)

namespace {

constexpr std::uint64_t step = 32 * mebibyte;

std::uint64_t attribute(cudaGraphMemAttributeType name) {
  std::uint64_t bytes = 0;
  check(cudaDeviceGetGraphMemAttribute(0, name, &bytes));
  return bytes;
}

std::uint64_t used() { return attribute(cudaGraphMemAttrUsedMemCurrent); }
std::uint64_t reserved() { return attribute(cudaGraphMemAttrReservedMemCurrent); }

void allocate_and_free(cudaStream_t stream, std::uint64_t bytes) {
  check(cudaFreeAsync(allocate(stream, bytes), stream));
}

}  // namespace

// Runtime API, Graph Management, cudaGraphLaunch: with memory of the previous launch not freed, it
// fails with cudaErrorInvalidValue; unless instantiated with AutoFreeOnLaunch.
BOOST_FIXTURE_TEST_CASE(a_graph_with_unfreed_memory_cannot_be_launched_again, OneStream) {
  const Allocating allocating(false);
  const GraphExec executable = launched(allocating.graph, stream);
  BOOST_TEST(cudaGraphLaunch(executable.get(), stream.get()) == cudaErrorInvalidValue);
  check(cudaFreeAsync(allocating.memory, stream.get()));
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "ww");
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.2.5.2.4, cudaGraphInstantiateFlagAutoFreeOnLaunch.
BOOST_FIXTURE_TEST_CASE(a_graph_that_frees_on_launch_can_be_launched_again, OneStream) {
  const Allocating allocating(false);
  const GraphExec executable =
      instantiate(allocating.graph.get(), cudaGraphInstantiateFlagAutoFreeOnLaunch);
  launch(executable, stream);
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "ww");
  BOOST_TEST(found() == "none");
}

// Runtime API, Graph Management, cudaGraphInstantiate: a graph with allocation or free nodes has at
// most one executable graph at a time.
BOOST_AUTO_TEST_CASE(a_graph_with_memory_nodes_has_one_executable_graph_at_a_time) {
  const Allocating allocating(true);
  GraphExec executable = instantiate(allocating.graph.get());
  cudaGraphExec_t second = nullptr;
  BOOST_TEST(cudaGraphInstantiate(&second, allocating.graph.get(), 0) != cudaSuccess);
  executable.reset();
  executable = instantiate(allocating.graph.get());
}

// Programming Guide 4.2.5.4.1, First Launch / cudaGraphUpload, and 4.2.5.5: a capture takes no
// physical memory; a launch or an upload does, in steps, and keeps it.
BOOST_AUTO_TEST_CASE(physical_memory_is_taken_by_the_upload) {
  const std::uint64_t all = device_free();
  const Stream stream = make_stream();
  const Graph graph = capture([](cudaStream_t origin) { allocate_and_free(origin, step + 1); });
  GraphExec executable = instantiate(graph.get());
  BOOST_TEST(device_free() == all);
  check(cudaGraphUpload(executable.get(), stream.get()));
  BOOST_TEST(used() == 2 * step);
  BOOST_TEST(reserved() == 2 * step);
  BOOST_TEST(device_free() == all - 2 * step);
  launch(executable, stream);
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == 2 * step);  // the launch is under way
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(reserved() == 2 * step);
  executable.reset();
  BOOST_TEST(used() == 2 * step);  // the graph can be instantiated again
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(used() == 0u);
  BOOST_TEST(device_free() == all);
  BOOST_TEST(attribute(cudaGraphMemAttrUsedMemHigh) == 2 * step);
  BOOST_TEST(attribute(cudaGraphMemAttrReservedMemHigh) == 2 * step);
}

// Programming Guide 4.2.5.1: only allocations that do not overlap share physical memory. Lanes
// overlap whatever the order of their capture.
BOOST_AUTO_TEST_CASE(lanes_have_physical_memory_of_their_own) {
  const Stream stream = make_stream(), lane = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    order(origin, lane.get());
    allocate_and_free(origin, step);
    allocate_and_free(lane.get(), step);
    order(lane.get(), origin);
  });
  launch(instantiate(graph.get()), stream);
  BOOST_TEST(reserved() == 2 * step);
}

// Programming Guide 4.2.5.5: memory of a destroyed graph stays reserved, for other graphs.
BOOST_FIXTURE_TEST_CASE(reserved_memory_serves_the_next_graph, OneStream) {
  for (int i = 0; i < 2; ++i) {
    const Allocating allocating(true);
    const GraphExec executable = launched(allocating.graph, stream);
    check(cudaStreamSynchronize(stream.get()));
  }
  BOOST_TEST(used() == 0u);
  BOOST_TEST(reserved() == step);
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == 0u);
}

// Runtime API, Graph Management, cudaGraphAddMemAllocNode lists cudaErrorOutOfMemory; by
// Programming Guide 4.2.5.4.1 the memory is taken no earlier than at the launch.
BOOST_FIXTURE_TEST_CASE(a_launch_fails_when_the_device_has_no_memory_left, OneStream) {
  DeviceBuffer taken = make_device_buffer(1000 * mebibyte);
  const Allocating allocating(true);
  const GraphExec executable = instantiate(allocating.graph.get());
  BOOST_TEST(cudaGraphLaunch(executable.get(), stream.get()) == cudaErrorMemoryAllocation);
  taken.reset();
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "w");
}

// Programming Guide 4.2.5.5: trimming keeps unfreed memory and memory of pending launches, and a
// trimmed graph can be launched again.
BOOST_FIXTURE_TEST_CASE(trimming_spares_what_is_in_use, OneStream) {
  const Allocating allocating(false);
  const GraphExec executable = launched(allocating.graph, stream);
  check(cudaStreamSynchronize(stream.get()));
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == step);
  check(cudaFreeAsync(allocating.memory, stream.get()));
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == step);
  check(cudaStreamSynchronize(stream.get()));
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == 0u);
  launch(executable, stream);
  BOOST_TEST(reserved() == step);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
