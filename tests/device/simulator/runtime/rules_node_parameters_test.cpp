// Executable graphs whose nodes are given other parameters.
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/built_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_node_parameters, Fresh)

namespace {

constexpr auto refused = cudaErrorInvalidValue;

cudaError_t set(const GraphExec& executable, cudaGraphNode_t node, char letter) {
  return cudaGraphExecKernelNodeSetParams(executable.get(), node, NodeKernel(letter).get());
}

cudaError_t set_copy(const GraphExec& executable, cudaGraphNode_t node, void* to, const void* from,
                     std::size_t bytes) {
  return cudaGraphExecMemcpyNodeSetParams1D(executable.get(), node, to, from, bytes,
                                            cudaMemcpyDefault);
}

/// Two sets of operands, and a graph of copy in, memset, kernel and copy out on one of them.
struct TwoSets {
  explicit TwoSets(Graph made = make_graph()) : graph(std::move(made)) {
    for (int i = 0; i < 2; ++i) {
      memory[i] = make_device_buffer(8);
      in[i] = make_pinned_buffer(4);
      out[i] = make_pinned_buffer(8);
      std::memset(in[i].get(), 'i' + i, 4);
      std::memset(out[i].get(), '-', 8);
    }
  }

  cudaMemsetParams clear(int i) const { return words(memory[i].get() + 4, 0x2e2e2e2e, 1); }

  void build() {
    copy_in = add_copy(graph, {}, memory[0].get(), in[0].get(), 4);
    memset = add_memset(graph, {}, clear(0));
    kernel = add_kernel(graph, {copy_in}, NodeKernel('k', memory[0].get(), 2, Touch::write));
    copy_out = add_copy(graph, {kernel, memset}, out[0].get(), memory[0].get(), 8);
  }

  void set_to(const GraphExec& executable, int i) const {
    const cudaMemsetParams cleared = clear(i);
    check(set_copy(executable, copy_in, memory[i].get(), in[i].get(), 4));
    check(cudaGraphExecMemsetNodeSetParams(executable.get(), memset, &cleared));
    check(cudaGraphExecKernelNodeSetParams(
        executable.get(), kernel,
        NodeKernel('k' + static_cast<char>(i), memory[i].get(), 2, Touch::write).get()));
    check(set_copy(executable, copy_out, out[i].get(), memory[i].get(), 8));
  }

  /// Does the same on streams.
  void enqueue(int i, cudaStream_t stream) const {
    check(cudaMemcpyAsync(memory[i].get(), in[i].get(), 4, cudaMemcpyDefault, stream));
    check(cudaMemsetAsync(memory[i].get() + 4, '.', 4, stream));
    use('k' + static_cast<char>(i), memory[i].get(), 2, Touch::write, stream);
    check(cudaMemcpyAsync(out[i].get(), memory[i].get(), 8, cudaMemcpyDefault, stream));
  }

  std::string result() const {
    std::string text;
    for (const auto& host : out) text += std::string(reinterpret_cast<const char*>(host.get()), 8);
    return text;
  }

  DeviceBuffer memory[2];
  PinnedBuffer in[2], out[2];
  Graph graph;
  cudaGraphNode_t copy_in = nullptr, memset = nullptr, kernel = nullptr, copy_out = nullptr;
};

}  // namespace

// "The section" is Runtime API, Graph Management, under the name of the function.

// The section, cudaGraphExec...SetParams: "Already enqueued or running launches of hGraphExec are
// not affected"; two launches pending at once, each with its own operands.
TRILANE_OUTCOMES(setting_parameters_changes_only_later_launches, "kkii....lljj....none") {
  const Stream stream = make_stream();
  TwoSets sets;
  sets.build();
  const GraphExec executable = launched(sets.graph, stream);
  sets.set_to(executable, 1);
  const std::string then = sets.result();
  launch(executable, stream);
  sets.set_to(executable, 0);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(then == "----------------");
  return sets.result() + found();
}

// The same for Programming Guide 4.2.3.1, Whole Graph Update.
TRILANE_OUTCOMES(updating_the_graph_changes_only_later_launches, "kkii....lljj....none") {
  const Stream stream = make_stream();
  TwoSets sets;
  const auto recorded = [&](int i) {
    return capture([&](cudaStream_t origin) { sets.enqueue(i, origin); });
  };
  const GraphExec executable = instantiate(recorded(0).get());
  launch(executable, stream);
  for (const int i : {1, 0}) {
    update(executable, recorded(i));
    if (i == 1) launch(executable, stream);
  }
  check(cudaStreamSynchronize(stream.get()));
  return sets.result() + found();
}

// The section: "node is also not modified by this call".
BOOST_AUTO_TEST_CASE(the_graph_keeps_its_parameters) {
  const Graph graph = make_graph();
  const auto node = add_mark(graph, {}, 'a');
  const GraphExec first = instantiate(graph.get());
  check(set(first, node, 'b'));
  const GraphExec second = instantiate(graph.get());
  run(first);
  run(second);
  BOOST_TEST(trace() == "ba");
}

// The section, cudaGraphExecKernelNodeSetParams: all fields may change, the function too; arguments
// are copied during the call.
BOOST_AUTO_TEST_CASE(a_kernel_node_may_launch_another_kernel) {
  const DeviceBuffer memory = make_device_buffer(4);
  const Graph graph = make_graph();
  const auto node = add_mark(graph, {}, 'a');
  const GraphExec executable = instantiate(graph.get());
  {
    const NodeKernel other('b', memory.get(), 4, Touch::write);
    check(cudaGraphExecKernelNodeSetParams(executable.get(), node, other.get()));
  }
  run(executable);
  BOOST_TEST(trace() == "b");
}

// The section: the node belongs to the instantiated graph, which still has it.
BOOST_AUTO_TEST_CASE(only_nodes_of_the_instantiated_graph_can_be_set) {
  Graph graph = make_graph();
  const Graph other = make_graph();
  const auto node = add_mark(graph, {}, 'a'), stranger = add_mark(other, {}, 's');
  const GraphExec executable = instantiate(graph.get());
  const auto later = add_mark(graph, {}, 'l');
  const GraphExec sibling = instantiate(graph.get());
  BOOST_TEST(set(executable, stranger, 'b') == refused);
  BOOST_TEST(set(executable, later, 'b') == refused);
  BOOST_TEST(set(executable, nullptr, 'b') == refused);
  BOOST_TEST(cudaGraphExecKernelNodeSetParams(executable.get(), node, nullptr) == refused);
  BOOST_TEST(set(sibling, later, 'b') == cudaSuccess);
  const cudaMemsetParams parameters = words(nullptr, 0, 1);
  BOOST_TEST(cudaGraphExecMemsetNodeSetParams(executable.get(), node, &parameters) == refused);
  graph.reset();
  BOOST_TEST(set(executable, node, 'b') == refused);
  run(executable);
  BOOST_TEST(trace() == "a");
}

// After an update the nodes are still those of the instantiated graph.
BOOST_AUTO_TEST_CASE(nodes_can_be_set_after_an_update) {
  const Graph graph = make_graph(), changed = make_graph();
  const auto node = add_mark(graph, {}, 'a');
  const auto stranger = add_mark(changed, {}, 'b');
  const GraphExec executable = instantiate(graph.get());
  update(executable, changed);
  run(executable);
  BOOST_TEST(set(executable, stranger, 'x') == refused);
  check(set(executable, node, 'c'));
  run(executable);
  BOOST_TEST(trace() == "bc");
}

// The section, cudaGraphExecMemcpyNodeSetParams1D: refused if the operands' mappings change, or for
// a length of zero; addresses and length may change.
BOOST_AUTO_TEST_CASE(a_copy_keeps_the_sorts_of_its_memory) {
  const DeviceBuffer memory = make_device_buffer(8);
  const PinnedBuffer host = make_pinned_buffer(8);
  std::string pageable(8, 'p');
  const Graph graph = make_graph();
  const auto node = add_copy(graph, {}, memory.get(), host.get(), 4);
  const GraphExec executable = instantiate(graph.get());
  BOOST_TEST(set_copy(executable, node, host.get(), memory.get(), 4) == refused);
  BOOST_TEST(set_copy(executable, node, memory.get(), memory.get() + 4, 4) == refused);
  BOOST_TEST(set_copy(executable, node, memory.get(), pageable.data(), 4) == refused);
  BOOST_TEST(set_copy(executable, node, memory.get(), host.get(), 0) == refused);
  BOOST_TEST(set_copy(executable, node, memory.get(), host.get(), 9) == refused);
  BOOST_TEST(set_copy(executable, node, memory.get() + 1, host.get() + 1, 7) == cudaSuccess);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = cudaPitchedPtr{memory.get(), 8, 8, 1};
  copy.dstPtr = cudaPitchedPtr{host.get(), 8, 8, 1};
  copy.extent = cudaExtent{8, 1, 1};
  copy.kind = cudaMemcpyDefault;
  BOOST_TEST(cudaGraphExecMemcpyNodeSetParams(executable.get(), node, &copy) == refused);
  std::swap(copy.srcPtr, copy.dstPtr);
  BOOST_TEST(cudaGraphExecMemcpyNodeSetParams(executable.get(), node, &copy) == cudaSuccess);
}

// The section, cudaGraphExecMemsetNodeSetParams: the same kind of allocation; the width may change,
// or be refused; height and parameters that cannot be set at all are refused.
TRILANE_OUTCOMES(a_memset_keeps_the_kind_of_its_memory_and_perhaps_its_width, "changed refused") {
  const DeviceBuffer memory = make_device_buffer(16);
  const PinnedBuffer host = make_pinned_buffer(16);
  const Graph graph = make_graph();
  const auto node = add_memset(graph, {}, words(memory.get(), 0, 2));
  const GraphExec executable = instantiate(graph.get());
  const auto code = [&](const cudaMemsetParams& parameters) {
    return cudaGraphExecMemsetNodeSetParams(executable.get(), node, &parameters);
  };
  BOOST_TEST(code(words(host.get(), 0, 2)) == refused);
  BOOST_TEST(code(words(memory.get(), 0, 0)) == refused);
  BOOST_TEST(code(words(memory.get() + 8, 7, 2)) == cudaSuccess);
  return std::string(code(words(memory.get(), 0, 4)) == cudaSuccess ? "changed" : "refused");
}

// Calls cost what the profile says. If it does not, an added node costs as much as a captured one,
// and other parameters as much as the node at its instantiation.
BOOST_AUTO_TEST_CASE(building_and_setting_cost_the_host_what_the_profile_says) {
  for (const bool is_known : {false, true}) {
    simulator::Settings settings;
    settings.profile.calls_us = {{"capture", 2}};
    settings.profile.graph.instantiate_node_us = 8;
    if (is_known) {
      settings.profile.calls_us["cudaGraphAddKernelNode"] = 32;
      settings.profile.calls_us["cudaGraphExecKernelNodeSetParams"] = 64;
      settings.profile.calls_us["update"] = 128;
    }
    start(settings);
    const Graph graph = make_graph();
    const auto node = add_mark(graph, {}, 'a');
    BOOST_TEST(now_us() == (is_known ? 32 : 2));
    const GraphExec executable = instantiate(graph.get());
    const double before = now_us();
    check(set(executable, node, 'b'));
    BOOST_TEST(now_us() - before == (is_known ? 64 : 8));
    update(executable, graph);
    BOOST_TEST(now_us() - before == (is_known ? 64 + 128 : 8 + 8));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
