// Memory of graphs: addresses, uses, and which calls may free it.
#include "tests/device/simulator/runtime/graph_memory_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_graph_memory, Fresh)

// Runtime API, Stream Ordered Memory Allocator, cudaMallocAsync and cudaFreeAsync: under capture
// they become allocation and free nodes.
BOOST_AUTO_TEST_CASE(captured_allocations_become_nodes) {
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
    const GraphExec executable = launched(graph, stream);
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
  const GraphExec executable = launched(allocating.graph, stream);
  order(stream.get(), other.get());
  use('r', allocating.memory, 4, Touch::read, other.get());
  check(cudaFreeAsync(allocating.memory, other.get()));
  check(cudaDeviceSynchronize());
  return trace() + " " + found();
}

// The same: another graph with a free node may free it.
BOOST_FIXTURE_TEST_CASE(graph_memory_can_be_freed_by_another_graph, OneStream) {
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

BOOST_AUTO_TEST_CASE(a_use_of_graph_memory_not_ordered_after_the_launch_is_found) {
  const Stream stream = make_stream(), other = make_stream();
  const Allocating allocating(false);
  const GraphExec executable = launched(allocating.graph, stream);
  use('x', allocating.memory, 4, Touch::write, other.get());
  BOOST_TEST(found().find(name_of(Hazard::use_before_allocation)) != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_use_of_graph_memory_after_its_free_node_is_found, OneStream) {
  const Allocating allocating(true);
  const GraphExec executable = launched(allocating.graph, stream);
  use('x', allocating.memory, 4, Touch::write, stream.get());
  BOOST_TEST(found() == name_of(Hazard::use_after_free));
}

// The same inside a graph: a node on another path than the free node uses the memory.
BOOST_AUTO_TEST_CASE(a_free_node_beside_a_use_is_found) {
  const Stream stream = make_stream(), lane = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    void* const memory = allocate(origin);
    order(origin, lane.get());
    use('w', memory, 4, Touch::write, lane.get());
    check(cudaFreeAsync(memory, origin));
    order(lane.get(), origin);
  });
  const GraphExec executable = launched(graph, stream);
  const std::string names = found();
  BOOST_TEST(
      (names == name_of(Hazard::use_after_free) || names == name_of(Hazard::free_before_last_use)),
      names);
}

// Programming Guide 4.2.5.3.1, Address Reuse within a Graph: a node that depends on a free node may
// have its address.
TRILANE_OUTCOMES(an_address_may_be_used_again_behind_its_free_node,
                 "other,abab,none same,abab,none") {
  void *first = nullptr, *second = nullptr;
  const Graph graph = capture([&](cudaStream_t origin) {
    first = allocate(origin, 64);
    use('a', first, 64, Touch::write, origin);
    check(cudaFreeAsync(first, origin));
    second = allocate(origin, 32);
    use('b', second, 32, Touch::write, origin);
    check(cudaFreeAsync(second, origin));
  });
  const Stream stream = make_stream();
  const GraphExec executable = instantiate(graph.get());
  for (int i = 0; i < 2; ++i) launch(executable, stream);
  check(cudaStreamSynchronize(stream.get()));
  return std::string(first == second ? "same" : "other") + "," + trace() + "," + found();
}

// The same: not one that is not ordered after it, or too small.
TRILANE_OUTCOMES(an_address_is_used_again_only_in_order_and_where_it_fits, "other") {
  const Stream lane = make_stream();
  void *first = nullptr, *beside = nullptr, *larger = nullptr;
  capture([&](cudaStream_t origin) {
    order(origin, lane.get());
    first = allocate(origin, 1024);
    check(cudaFreeAsync(first, origin));
    beside = allocate(lane.get(), 1024);
    larger = allocate(origin, 1025);
    order(lane.get(), origin);
  });
  return std::string(first == beside || first == larger ? "same" : "other");
}

// Programming Guide 4.2.5.2, note: destroying graph and executable frees no allocated memory, and
// launched work continues.
BOOST_AUTO_TEST_CASE(what_a_launch_allocated_outlives_graph_and_executable) {
  for (const bool in_order : {false, true}) {
    start();
    const Stream stream = make_stream();
    std::optional<Allocating> allocating(false);
    void* const memory = allocating->memory;
    launch(instantiate(allocating->graph.get()), stream);
    allocating.reset();
    use('r', memory, 4, Touch::read, stream.get());
    check(cudaStreamSynchronize(stream.get()));
    const auto leaks = machine().leaks();
    BOOST_TEST(std::ranges::count(leaks, "4 bytes of graph 3") == 1, leaks.back());
    check(in_order ? cudaFreeAsync(memory, stream.get()) : cudaFree(memory));
    BOOST_TEST(trace_after(stream) == "wr");
    BOOST_TEST(found() == "none");
    BOOST_TEST(machine().gpu().graph_memory.used == 0u);
    BOOST_TEST((machine().memory.find(memory).place == simulator::Place::pageable));
  }
}

// Runtime API, Graph Management, cudaGraphAddMemAllocNode: memory that the graph frees itself
// cannot be freed elsewhere; another graph cannot free memory with a free node in this one.
BOOST_AUTO_TEST_CASE(what_a_graph_frees_itself_nobody_else_may_free) {
  const Stream stream = make_stream(), origin = make_stream();
  const Allocating allocating(true);
  const GraphExec executable = launched(allocating.graph, stream);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(cudaFreeAsync(allocating.memory, stream.get()) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(allocating.memory) == cudaErrorInvalidValue);
  BOOST_TEST(found() == name_of(Hazard::double_free) + ", " + name_of(Hazard::double_free));
  check(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal));
  BOOST_TEST(cudaFreeAsync(allocating.memory, origin.get()) == cudaErrorInvalidValue);
  cudaGraph_t graph = nullptr;
  BOOST_TEST(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureInvalidated);
}

// Programming Guide 4.2.5.2.4: the frees that a launch puts first are part of it, so they come
// after the previous launch, in whatever stream that was.
BOOST_AUTO_TEST_CASE(freeing_on_launch_comes_after_the_launch_before) {
  const Stream first = make_stream(), second = make_stream();
  const Allocating allocating(false);
  const GraphExec executable =
      instantiate(allocating.graph.get(), cudaGraphInstantiateFlagAutoFreeOnLaunch);
  launch(executable, first);
  launch(executable, second);
  BOOST_TEST(found() == "none");
}

// A failed capture leaves no memory behind, and cleaning up after it is not a mistake.
BOOST_AUTO_TEST_CASE(the_memory_of_a_failed_capture_goes_back) {
  for (const bool waits : {false, true}) {
    start();
    const Stream origin = make_stream();
    check(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeGlobal));
    void* const memory = allocate(origin.get());
    cudaStreamQuery(origin.get());
    cudaGraph_t graph = nullptr;
    BOOST_TEST(cudaStreamEndCapture(origin.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    if (waits) check(cudaStreamSynchronize(origin.get()));
    BOOST_TEST((machine().memory.find(memory).place == simulator::Place::graph) == !waits);
    BOOST_TEST(cudaFree(memory) == cudaErrorInvalidValue);
    BOOST_TEST(found() == "none");
  }
}

// Runtime API, Stream Ordered Memory Allocator, cudaFreeAsync: under capture it must be given the
// address of a graph allocation; Graph Management, cudaGraphAddMemFreeNode: one that the graph has
// not freed yet.
BOOST_FIXTURE_TEST_CASE(a_capture_can_free_only_graph_memory_and_only_once, OneStream) {
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
