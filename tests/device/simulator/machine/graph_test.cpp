// Graphs with fully determined rules: queries, updates, names, and costs.
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(graphs, Fresh)

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// Returns a, then b and c in parallel.
Graph forked() {
  return capture([](cudaStream_t origin) {
    const Stream lane = make_stream();
    mark('a', origin);
    order(origin, lane.get());
    mark('b', origin);
    mark('c', lane.get());
    order(lane.get(), origin);
  });
}

Graph chain(int length) {
  return capture([length](cudaStream_t origin) {
    for (int i = 0; i < length; ++i) mark('a', origin);
  });
}

Nodes nodes_of(const Graph& graph) {
  Nodes nodes(8);
  std::size_t count = nodes.size();
  check(cudaGraphGetNodes(graph.get(), nodes.data(), &count));
  nodes.resize(count);
  return nodes;
}

cudaGraphExecUpdateResultInfo update(const GraphExec& executable, const Graph& graph) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t code = cudaGraphExecUpdate(executable.get(), graph.get(), &info);
  BOOST_TEST((code == cudaSuccess) == (info.result == cudaGraphExecUpdateSuccess));
  return info;
}

}  // namespace

// Runtime API, Graph Management, cudaGraphGetNodes, cudaGraphGetRootNodes and cudaGraphGetEdges:
// without an array the number; with a larger array than needed, null in the rest.
BOOST_AUTO_TEST_CASE(nodes_and_edges_fill_the_room_there_is) {
  const Graph graph = forked();
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph.get(), nullptr, &count));
  BOOST_TEST(count == 3u);
  const Nodes all = nodes_of(graph);
  Nodes some(2);
  count = 2;
  check(cudaGraphGetNodes(graph.get(), some.data(), &count));
  BOOST_TEST(count == 2u);
  BOOST_TEST((some == Nodes{all[0], all[1]}));
  Nodes roots(3, all[2]);
  count = 3;
  check(cudaGraphGetRootNodes(graph.get(), roots.data(), &count));
  BOOST_TEST(count == 1u);
  BOOST_TEST((roots == Nodes{all[0], nullptr, nullptr}));
  Nodes from(3, all[2]), to(3, all[2]);
  count = 3;
  check(cudaGraphGetEdges(graph.get(), from.data(), to.data(), nullptr, &count));
  BOOST_TEST(count == 2u);
  BOOST_TEST((from == Nodes{all[0], all[0], nullptr}));
  BOOST_TEST((to == Nodes{all[1], all[2], nullptr}));
}

BOOST_FIXTURE_TEST_CASE(handles_of_what_is_gone_are_refused, OneStream) {
  Graph graph = chain(1);
  GraphExec executable = instantiate(graph.get());
  cudaGraph_t const gone = graph.get();
  cudaGraphExec_t const gone_executable = executable.get();
  graph.reset();
  executable.reset();
  cudaGraphExec_t made = nullptr;
  BOOST_TEST(cudaGraphInstantiate(&made, gone, 0) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGraphDestroy(gone) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGraphExecDestroy(gone_executable) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGraphLaunch(gone_executable, stream.get()) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGraphUpload(gone_executable, stream.get()) == cudaErrorInvalidValue);
}

// Unmodelled features are never silently ignored.
BOOST_AUTO_TEST_CASE(flags_that_are_not_modelled_are_refused) {
  const Graph graph = chain(1);
  cudaGraphExec_t executable = nullptr;
  for (const auto flag :
       {cudaGraphInstantiateFlagDeviceLaunch, cudaGraphInstantiateFlagUseNodePriority}) {
    BOOST_TEST(cudaGraphInstantiate(&executable, graph.get(), flag) == cudaErrorNotSupported);
  }
}

// Runtime API, Graph Management, cudaGraphExecUpdate: which node, and which edge to it, did not
// match.
BOOST_AUTO_TEST_CASE(a_refused_update_names_the_node) {
  const GraphExec executable = instantiate(forked().get());
  const Graph longer = chain(4), straight = chain(3);
  auto info = update(executable, longer);
  BOOST_TEST(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  BOOST_TEST(info.errorNode == nullptr);
  info = update(executable, straight);
  BOOST_TEST(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  BOOST_TEST(info.errorNode == nodes_of(straight)[2]);
  BOOST_TEST(info.errorFromNode == nodes_of(straight)[1]);
  const Graph roots = capture([](cudaStream_t origin) {
    const Stream lane = make_stream();
    order(origin, lane.get());
    mark('a', origin);
    mark('b', lane.get());
    mark('c', origin);
    order(lane.get(), origin);
  });
  info = update(executable, roots);
  BOOST_TEST(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  BOOST_TEST(info.errorNode == nodes_of(roots)[1]);
  BOOST_TEST(info.errorFromNode == nullptr);
  BOOST_TEST(update(executable, forked()).result == cudaGraphExecUpdateSuccess);
}

// The same: the types of a copy's memory cannot change.
BOOST_AUTO_TEST_CASE(an_update_cannot_turn_a_copy_round) {
  const DeviceBuffer memory = make_device_buffer(4);
  const PinnedBuffer host = make_pinned_buffer(4);
  const auto copy = [](void* to, const void* from) {
    return capture([=](cudaStream_t origin) {
      check(cudaMemcpyAsync(to, from, 4, cudaMemcpyDefault, origin));
    });
  };
  const Graph in = copy(memory.get(), host.get()), out = copy(host.get(), memory.get());
  const GraphExec executable = instantiate(in.get());
  const auto info = update(executable, out);
  BOOST_TEST(info.result == cudaGraphExecUpdateErrorParametersChanged);
  BOOST_TEST(info.errorNode == nodes_of(out)[0]);
  BOOST_TEST(update(executable, in).result == cudaGraphExecUpdateSuccess);
}

// Programming Guide 4.2.2: a launch is work of its stream; a graph without nodes makes none.
TRILANE_OUTCOMES(a_launch_of_an_empty_graph_leaves_the_stream_as_it_is, "ab") {
  const Stream stream = make_stream();
  const GraphExec executable = instantiate(chain(0).get());
  mark('a', stream.get());
  launch(executable, stream);
  mark('b', stream.get());
  launch(executable, stream);
  return trace_after(stream);
}

BOOST_AUTO_TEST_CASE(reports_name_graph_node_and_stream) {
  const Stream stream = make_stream(), other = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  const Graph graph = capture([&](cudaStream_t origin) {
    mark('a', origin);
    check(cudaMemsetAsync(memory.get(), 0, 4, origin));
  });
  const GraphExec executable = launched(graph, other);
  check(cudaMemsetAsync(memory.get(), 1, 4, stream.get()));
  BOOST_TEST_REQUIRE(machine().hazards.reports().size() == 1u);
  const std::string text = machine().hazards.reports()[0].text;
  BOOST_TEST(text.find("node 2 on stream 2, operation 2)") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(graphs_cost_the_host_what_the_profile_says) {
  simulator::Settings settings;
  settings.profile.calls_us = {{"cudaGraphInstantiate", 100}, {"cudaGraphUpload", 200}};
  settings.profile.graph.instantiate_node_us = 1;
  settings.profile.graph.upload_node_us = 2;
  settings.profile.graph.destroy_node_us = 4;
  start(settings);
  const Stream stream = make_stream();
  const Graph graph = chain(3);
  GraphExec executable = instantiate(graph.get());
  BOOST_TEST(machine().timeline.now() == 103);
  check(cudaGraphUpload(executable.get(), stream.get()));
  BOOST_TEST(machine().timeline.now() == 309);
  executable.reset();
  BOOST_TEST(machine().timeline.now() == 321);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
