#include "tests/device/simulator/runtime/built_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_built_graphs, Fresh)

namespace {

constexpr auto refused = cudaErrorInvalidValue;

cudaError_t depend(const Graph& graph, const Nodes& from, const Nodes& to) {
  return cudaGraphAddDependencies(graph.get(), from.data(), to.data(), nullptr, from.size());
}

/// Returns what one launch of the graph leaves in the trace.
std::string trace_of(const Graph& graph) {
  run(instantiate(graph.get()));
  return trace();
}

}  // namespace

// "The section" is Runtime API, Graph Management, under the name of the function.

// Programming Guide 4.2.2.1.1, Graph APIs: a node comes after the nodes it was added with, and
// after nothing else.
TRILANE_OUTCOMES(nodes_come_after_their_dependencies_only, "abcd acbd") {
  const Graph graph = make_graph();
  const auto a = add_mark(graph, {}, 'a');
  const auto b = add_mark(graph, {a}, 'b'), c = add_mark(graph, {a}, 'c');
  add_mark(graph, {b, c}, 'd');
  return trace_of(graph);
}

// The section, cudaGraphAddDependencies: an edge may lead to an earlier node.
TRILANE_OUTCOMES(edges_order_nodes_whenever_these_were_made, "cba") {
  const Graph graph = make_graph();
  const auto a = add_mark(graph, {}, 'a'), b = add_mark(graph, {}, 'b');
  const auto c = add_mark(graph, {}, 'c');
  check(depend(graph, {c, b}, {b, a}));
  return trace_of(graph);
}

// The same: nodes of this graph, and no existing edge. A refused call adds nothing.
BOOST_AUTO_TEST_CASE(edges_are_of_one_graph_and_new) {
  const Graph graph = make_graph(), other = make_graph();
  const auto a = add_mark(graph, {}, 'a'), b = add_mark(graph, {a}, 'b');
  const auto c = add_mark(graph, {}, 'c'), stranger = add_mark(other, {}, 's');
  BOOST_TEST(depend(graph, {b, a}, {c, b}) == refused);
  BOOST_TEST(depend(graph, {b, b}, {c, c}) == refused);
  BOOST_TEST(depend(graph, {b, stranger}, {c, c}) == refused);
  BOOST_TEST(depend(graph, {a}, {stranger}) == refused);
  BOOST_TEST(cudaGraphAddDependencies(graph.get(), nullptr, &c, nullptr, 1) == refused);
  BOOST_TEST(cudaGraphAddDependencies(graph.get(), nullptr, nullptr, nullptr, 0) == cudaSuccess);
  std::size_t edges = 0;
  check(cudaGraphGetEdges(graph.get(), nullptr, nullptr, nullptr, &edges));
  BOOST_TEST(edges == 1u);
}

// The section, cudaGraphInstantiate: the graph is validated for structural constraints.
BOOST_AUTO_TEST_CASE(a_cycle_cannot_be_instantiated) {
  const Graph graph = make_graph();
  const auto a = add_mark(graph, {}, 'a'), b = add_mark(graph, {a}, 'b');
  check(depend(graph, {b}, {a}));
  cudaGraphExec_t executable = nullptr;
  BOOST_TEST(cudaGraphInstantiate(&executable, graph.get(), 0) == refused);
}

// Unmodelled features are never silently ignored: kernels may depend on part of a kernel.
BOOST_AUTO_TEST_CASE(edges_with_data_are_refused) {
  const Graph graph = make_graph();
  const auto a = add_mark(graph, {}, 'a'), b = add_mark(graph, {}, 'b');
  cudaGraphEdgeData data{};
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  data.type = cudaGraphDependencyTypeProgrammatic;
  BOOST_TEST(cudaGraphAddDependencies(graph.get(), &a, &b, &data, 1) == cudaErrorNotSupported);
  data = {};
  BOOST_TEST(cudaGraphAddDependencies(graph.get(), &a, &b, &data, 1) == cudaSuccess);
}

// The section, cudaGraphAddKernelNode and the others: dependencies without duplicates, existing
// parameters; cudaGraphCreate: flags must be 0.
BOOST_AUTO_TEST_CASE(nodes_with_wrong_arguments_are_refused) {
  const Graph graph = make_graph(), other = make_graph();
  const NodeKernel kernel('a');
  const auto a = add_kernel(graph, {}, kernel), stranger = add_kernel(other, {}, kernel);
  const auto add = [&](const Nodes& after, const cudaKernelNodeParams* parameters) {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddKernelNode(&node, graph.get(), after.data(), after.size(), parameters);
  };
  BOOST_TEST(add({a, a}, kernel.get()) == refused);
  BOOST_TEST(add({a, stranger}, kernel.get()) == refused);
  BOOST_TEST(add({}, nullptr) == refused);
  BOOST_TEST(cudaGraphAddKernelNode(nullptr, graph.get(), nullptr, 0, kernel.get()) == refused);
  cudaKernelNodeParams wrong = *kernel.get();
  wrong.gridDim = dim3(0);
  BOOST_TEST(add({}, &wrong) == refused);
  wrong = *kernel.get();
  wrong.func = &wrong;
  BOOST_TEST(add({}, &wrong) == cudaErrorInvalidDeviceFunction);
  wrong = *kernel.get();
  void* extra[] = {nullptr};
  wrong.extra = extra;
  BOOST_TEST(add({}, &wrong) == refused);
  cudaGraph_t made = nullptr;
  BOOST_TEST(cudaGraphCreate(&made, 1) == refused);
  BOOST_TEST(cudaGraphCreate(nullptr, 0) == refused);
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph.get(), nullptr, &count));
  BOOST_TEST(count == 1u);
}

// The section, cudaGraphAddKernelNode: arguments are copied during the call.
BOOST_AUTO_TEST_CASE(a_kernel_node_has_its_arguments_from_the_call) {
  const Graph graph = make_graph();
  char letter = 'a';
  void* arguments[] = {&letter};
  cudaKernelNodeParams parameters = *NodeKernel('x').get();
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph.get(), nullptr, 0, &parameters));
  letter = 'b';
  BOOST_TEST(trace_of(graph) == "a");
}

// The section, cudaGraphAddMemsetNode and cudaGraphAddMemcpyNode1D; Memory Management, cudaMemcpy3D
// for the other form of a copy.
TRILANE_OUTCOMES(memsets_and_copies_move_bytes_when_launched, "------------>abcd-bcd-cd-none") {
  const DeviceBuffer memory = make_device_buffer(16);
  const PinnedBuffer host = make_pinned_buffer(32);
  std::memset(host.get(), '-', 32);
  const Graph graph = make_graph();
  const auto set = add_memset(graph, {}, words(memory.get(), 0x64636261, 4));
  const auto part = add_copy(graph, {set}, memory.get() + 4, host.get() + 31, 1);
  add_copy(graph, {part}, host.get(), memory.get(), 8);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = cudaPitchedPtr{memory.get(), 16, 16, 1};
  copy.srcPos = cudaPos{2, 0, 0};
  copy.dstPtr = cudaPitchedPtr{host.get(), 32, 32, 1};
  copy.dstPos = cudaPos{9, 0, 0};
  copy.extent = cudaExtent{3, 1, 1};
  copy.kind = cudaMemcpyDeviceToHost;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemcpyNode(&node, graph.get(), &part, 1, &copy));
  const GraphExec executable = instantiate(graph.get());
  const std::string before(reinterpret_cast<const char*>(host.get()), 12);
  run(executable);
  return before + ">" + std::string(reinterpret_cast<const char*>(host.get()), 12) + found();
}

// The section, cudaGraphAddMemsetNode: elements of 1, 2 or 4 bytes, and something to set; Driver
// API, cuMemsetD32Async: aligned. Only memory that the device can address.
BOOST_AUTO_TEST_CASE(memsets_that_cannot_be_are_refused) {
  const DeviceBuffer memory = make_device_buffer(16);
  std::string pageable(16, 'p');
  const Graph graph = make_graph();
  const auto add = [&](auto change) {
    cudaMemsetParams parameters = words(memory.get(), 0, 4);
    change(parameters);
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddMemsetNode(&node, graph.get(), nullptr, 0, &parameters);
  };
  BOOST_TEST(add([](auto& memset) { memset.elementSize = 3; }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.elementSize = 8; }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.width = 0; }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.width = 5; }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.width = std::size_t{1} << 62; }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.height = 0; }) == refused);
  BOOST_TEST(add([&](auto& memset) { memset = words(memory.get() + 2, 0, 3); }) == refused);
  BOOST_TEST(add([&](auto& memset) { memset.dst = pageable.data(); }) == refused);
  BOOST_TEST(add([](auto& memset) { memset.height = 2; }) == cudaErrorNotSupported);
  BOOST_TEST(add([](auto& memset) {
               memset.elementSize = 2;
               memset.width = 8;
             }) == cudaSuccess);
}

// The section, cudaGraphAddMemcpyNode1D: existing memory, in the given direction.
BOOST_AUTO_TEST_CASE(copies_that_cannot_be_are_refused) {
  const DeviceBuffer memory = make_device_buffer(16);
  const PinnedBuffer host = make_pinned_buffer(16);
  const Graph graph = make_graph();
  cudaGraphNode_t node = nullptr;
  const auto add = [&](void* to, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNode1D(&node, graph.get(), nullptr, 0, to, host.get(), bytes, kind);
  };
  BOOST_TEST(add(memory.get(), 17, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(add(memory.get(), 0, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(add(nullptr, 16, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(add(memory.get(), 16, cudaMemcpyHostToHost) == refused);
  cudaMemcpy3DParms copy{};
  BOOST_TEST(cudaGraphAddMemcpyNode(&node, graph.get(), nullptr, 0, &copy) == refused);
  copy.srcPtr = cudaPitchedPtr{host.get(), 4, 4, 4};
  copy.dstPtr = cudaPitchedPtr{memory.get(), 4, 4, 4};
  copy.extent = cudaExtent{4, 2, 2};
  copy.kind = cudaMemcpyDefault;
  BOOST_TEST(cudaGraphAddMemcpyNode(&node, graph.get(), nullptr, 0, &copy) ==
             cudaErrorNotSupported);
}

// The section, cudaGraphAddEmptyNode: no operation, but transitive ordering.
TRILANE_OUTCOMES(an_empty_node_passes_order_on, "xabcy xbacy") {
  const Stream stream = make_stream();
  const Graph graph = make_graph();
  const Nodes first{add_mark(graph, {}, 'a'), add_mark(graph, {}, 'b')};
  cudaGraphNode_t join = nullptr, last = nullptr;
  check(cudaGraphAddEmptyNode(&join, graph.get(), first.data(), first.size()));
  const auto c = add_mark(graph, {join}, 'c');
  check(cudaGraphAddEmptyNode(&last, graph.get(), &c, 1));
  const GraphExec executable = instantiate(graph.get());
  mark('x', stream.get());
  launch(executable, stream);
  mark('y', stream.get());
  return trace_after(stream);
}

// The same for a graph of one such node: its launch is ordered, and does nothing.
TRILANE_OUTCOMES(a_graph_of_an_empty_node_does_nothing_in_order, "xy") {
  const Stream stream = make_stream();
  const Graph graph = make_graph();
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddEmptyNode(&node, graph.get(), nullptr, 0));
  const GraphExec executable = instantiate(graph.get());
  mark('x', stream.get());
  launch(executable, stream);
  mark('y', stream.get());
  return trace_after(stream);
}

// The hazard check treats added edges like captured ones: a missing one is reported.
BOOST_AUTO_TEST_CASE(a_missing_edge_is_found) {
  for (const bool has_edge : {true, false}) {
    const auto body = [has_edge] {
      const DeviceBuffer memory = make_device_buffer(4);
      const Graph graph = make_graph();
      const auto set = add_memset(graph, {}, words(memory.get(), 0, 1));
      add_kernel(graph, has_edge ? Nodes{set} : Nodes{},
                 NodeKernel('a', memory.get(), 4, Touch::read_write));
      run(instantiate(graph.get()));
      return found();
    };
    const std::string expected = has_edge ? "none" : name_of(Hazard::unordered);
    BOOST_TEST(outcomes(body).starts_with(expected), outcomes(body));
  }
}

// A node reads pinned memory at each launch; a change during one is reported.
TRILANE_OUTCOMES(host_memory_is_watched_while_a_launch_is_under_way,
                 name_of(Hazard::host_touched)) {
  const Stream stream = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  const PinnedBuffer host = make_pinned_buffer(4);
  const Graph graph = make_graph();
  add_copy(graph, {}, memory.get(), host.get(), 4);
  const GraphExec executable = instantiate(graph.get());
  std::memset(host.get(), 'a', 4);
  launch(executable, stream);
  std::memset(host.get(), 'b', 4);
  check(cudaStreamSynchronize(stream.get()));
  return found();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
