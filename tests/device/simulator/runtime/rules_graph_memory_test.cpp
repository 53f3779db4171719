#include <boost/test/unit_test.hpp>

#include "tests/device/simulator/machine/graph_memory_kit.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;
using trilane::simulator::Touch;

BOOST_AUTO_TEST_SUITE(rules_graph_memory)

// Runtime API, Stream Ordered Memory Allocator, cudaMallocAsync and cudaFreeAsync: under capture
// they become allocation and free nodes.
BOOST_AUTO_TEST_CASE(captured_allocations_become_nodes) {
  start();
  const Allocating allocating(true);
  std::vector<std::uint64_t> counts;
  for (const Count& fact : graph_facts(allocating.graph.get())) {
    if (fact.name == "alloc nodes" || fact.name == "free nodes") counts.push_back(fact.value);
  }
  BOOST_TEST(counts == (std::vector<std::uint64_t>{1, 1}), boost::test_tools::per_element());
}

// Programming Guide 4.2.5.1, Graph Memory Nodes: the address stays the same over launches; 4.2.5.2:
// each launch counts as a new allocation, so content does not persist.
BOOST_AUTO_TEST_CASE(the_content_of_a_graph_allocation_does_not_last_from_launch_to_launch) {
  for (const bool written : {true, false}) {
    start();
    const Stream stream = make_stream();
    const Graph graph = capture([&](cudaStream_t origin) {
      void* const memory = allocate(origin);
      if (written) use('w', memory, 4, Touch::write, origin);
      use('r', memory, 4, Touch::read, origin);
      use('w', memory, 4, Touch::write, origin);
      check(cudaFreeAsync(memory, origin));
    });
    const GraphExec executable = instantiate(graph.get());
    launch(executable, stream);
    check(cudaStreamSynchronize(stream.get()));
    forget();
    launch(executable, stream);
    check(cudaStreamSynchronize(stream.get()));
    BOOST_TEST(found() == (written ? "none" : name_of(Hazard::uninitialised_read)));
  }
}

// Programming Guide 4.2.5.2: uses of the memory must come after the allocation node and before the
// free; and 4.2.5.2.3: it can be used and freed outside of the graph, in order.
TRILANE_OUTCOMES(graph_memory_can_be_used_and_freed_by_a_stream_after_the_launch, "wr none") {
  const Stream stream = make_stream(), other = make_stream();
  const Allocating allocating(false);
  const GraphExec executable = instantiate(allocating.graph.get());
  launch(executable, stream);
  order(stream.get(), other.get());
  use('r', allocating.memory, 4, Touch::read, other.get());
  check(cudaFreeAsync(allocating.memory, other.get()));
  check(cudaDeviceSynchronize());
  return trace() + " " + found();
}

// The same: another graph with a free node may free it.
BOOST_AUTO_TEST_CASE(graph_memory_can_be_freed_by_another_graph) {
  start();
  const Stream stream = make_stream();
  const Allocating allocating(false);
  const Graph freeing =
      capture([&](cudaStream_t origin) { check(cudaFreeAsync(allocating.memory, origin)); });
  const GraphExec first = instantiate(allocating.graph.get());
  const GraphExec second = instantiate(freeing.get());
  for (int pass = 0; pass < 2; ++pass) {
    launch(first, stream);
    launch(second, stream);
  }
  BOOST_TEST(trace_after(stream) == "ww");
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.2.5.2: destroying the graph does not free allocated memory.
BOOST_AUTO_TEST_CASE(graph_memory_outlives_its_graph) {
  start();
  const Stream stream = make_stream();
  void* memory = nullptr;
  {
    const Allocating allocating(false);
    memory = allocating.memory;
    const GraphExec executable = instantiate(allocating.graph.get());
    launch(executable, stream);
    check(cudaStreamSynchronize(stream.get()));
  }
  use('r', memory, 4, Touch::read, stream.get());
  BOOST_TEST(cudaFreeAsync(memory, stream.get()) == cudaSuccess);
  BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaSuccess);
  BOOST_TEST(trace() == "wr");
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(a_use_of_graph_memory_not_ordered_after_the_launch_is_found) {
  start();
  const Stream stream = make_stream(), other = make_stream();
  const Allocating allocating(false);
  const GraphExec executable = instantiate(allocating.graph.get());
  launch(executable, stream);
  use('x', allocating.memory, 4, Touch::write, other.get());
  BOOST_TEST(found().find(name_of(Hazard::use_before_allocation)) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_use_of_graph_memory_after_its_free_node_is_found) {
  start();
  const Stream stream = make_stream();
  const Allocating allocating(true);
  const GraphExec executable = instantiate(allocating.graph.get());
  launch(executable, stream);
  use('x', allocating.memory, 4, Touch::write, stream.get());
  BOOST_TEST(found() == name_of(Hazard::use_after_free));
}

// The same inside a graph: a node on another path than the free node uses the memory.
BOOST_AUTO_TEST_CASE(a_free_node_beside_a_use_is_found) {
  start();
  const Stream stream = make_stream(), lane = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    void* const memory = allocate(origin);
    order(origin, lane.get());
    use('w', memory, 4, Touch::write, lane.get());
    check(cudaFreeAsync(memory, origin));
    order(lane.get(), origin);
  });
  const GraphExec executable = instantiate(graph.get());
  launch(executable, stream);
  const std::string names = found();
  BOOST_TEST(
      (names == name_of(Hazard::use_after_free) || names == name_of(Hazard::free_before_last_use)),
      names);
}

BOOST_AUTO_TEST_SUITE_END()
