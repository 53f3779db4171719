#include <boost/test/unit_test.hpp>
#include <optional>

#include "tests/device/simulator/machine/graph_memory_kit.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;

BOOST_AUTO_TEST_SUITE(rules_graph_allocation)

namespace {

std::uint64_t reserved() {
  std::uint64_t bytes = 0;
  check(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes));
  return bytes;
}

}  // namespace

// Runtime API, Graph Management, cudaGraphLaunch: with memory of the previous launch not freed, it
// fails with cudaErrorInvalidValue; unless instantiated with AutoFreeOnLaunch.
BOOST_AUTO_TEST_CASE(a_graph_with_unfreed_memory_cannot_be_launched_again) {
  start();
  const Stream stream = make_stream();
  const Allocating allocating(false);
  const GraphExec executable = instantiate(allocating.graph.get());
  launch(executable, stream);
  BOOST_TEST(cudaGraphLaunch(executable.get(), stream.get()) == cudaErrorInvalidValue);
  check(cudaFreeAsync(allocating.memory, stream.get()));
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "ww");
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.2.5.2.4, cudaGraphInstantiateFlagAutoFreeOnLaunch.
BOOST_AUTO_TEST_CASE(a_graph_that_frees_on_launch_can_be_launched_again) {
  start();
  const Stream stream = make_stream();
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
  start();
  const Allocating allocating(true);
  GraphExec executable = instantiate(allocating.graph.get());
  cudaGraphExec_t second = nullptr;
  BOOST_TEST(cudaGraphInstantiate(&second, allocating.graph.get(), 0) != cudaSuccess);
  executable.reset();
  executable = instantiate(allocating.graph.get());
}

// Runtime API, Stream Ordered Memory Allocator, cudaFreeAsync: under capture it must be given the
// address of a graph allocation; Graph Management, cudaGraphAddMemFreeNode: one that the graph has
// not freed yet.
BOOST_AUTO_TEST_CASE(a_capture_can_free_only_graph_memory_and_only_once) {
  start();
  const Stream stream = make_stream();
  void* const pooled = allocate(stream.get());
  const auto last_free_fails = [&](const auto& body) {
    cudaError_t code = cudaSuccess;
    BOOST_CHECK_THROW(
        capture([&](cudaStream_t origin) { check(code = cudaFreeAsync(body(origin), origin)); }),
        CudaError);
    BOOST_TEST(code == cudaErrorInvalidValue);
  };
  last_free_fails([&](cudaStream_t) { return pooled; });
  last_free_fails([](cudaStream_t origin) {
    void* const memory = allocate(origin);
    check(cudaFreeAsync(memory, origin));
    return memory;
  });
}

// Programming Guide 4.2.5.3.1, Address Reuse within a Graph: allocations may share an address only
// if the second depends on the free of the first.
BOOST_AUTO_TEST_CASE(allocations_of_independent_lanes_have_addresses_of_their_own) {
  start();
  const Stream lane = make_stream();
  void *first = nullptr, *second = nullptr;
  capture([&](cudaStream_t origin) {
    order(origin, lane.get());
    first = allocate(origin, 1024);
    check(cudaFreeAsync(first, origin));
    second = allocate(lane.get(), 1024);
    check(cudaFreeAsync(second, lane.get()));
    order(lane.get(), origin);
  });
  BOOST_TEST(first != second);
}

// Programming Guide 4.2.5.5, Physical Memory Footprint: memory of graphs stays reserved when its
// graph is gone, until cudaDeviceGraphMemTrim, which keeps memory in use.
BOOST_AUTO_TEST_CASE(graph_memory_stays_reserved_until_it_is_trimmed) {
  start();
  const Stream stream = make_stream();
  std::optional<Allocating> allocating(true);
  GraphExec executable = instantiate(allocating->graph.get());
  BOOST_TEST(reserved() == 0);
  launch(executable, stream);
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() >= 4);
  check(cudaStreamSynchronize(stream.get()));
  executable.reset();
  allocating.reset();
  BOOST_TEST(reserved() >= 4);
  check(cudaDeviceGraphMemTrim(0));
  BOOST_TEST(reserved() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
