// Memory of graphs: addresses, and which calls may free it.
#include <boost/test/unit_test.hpp>
#include <optional>

#include "tests/device/simulator/machine/graph_memory_kit.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;
using trilane::simulator::machine;
using trilane::simulator::Touch;

BOOST_AUTO_TEST_SUITE(graph_memory)

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
  check(cudaFree(memory));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(found() == "none");
  BOOST_TEST(trace() == "wr");
  BOOST_TEST(machine().graph_memory.used == 0u);
  BOOST_TEST((machine().memory.find(memory).place == simulator::Place::pageable));
}

// Runtime API, Graph Management, cudaGraphAddMemAllocNode: memory that the graph frees itself
// cannot be freed elsewhere; another graph cannot free memory with a free node in this one.
BOOST_AUTO_TEST_CASE(what_a_graph_frees_itself_nobody_else_may_free) {
  start();
  const Stream stream = make_stream(), origin = make_stream();
  const Allocating allocating(true);
  const GraphExec executable = instantiate(allocating.graph.get());
  launch(executable, stream);
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
  start();
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

BOOST_AUTO_TEST_SUITE_END()
