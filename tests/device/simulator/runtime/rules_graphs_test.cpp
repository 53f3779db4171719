#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_graphs, Fresh)

namespace {

/// Returns a graph of one kernel after the other.
Graph chain(const std::string& letters) {
  return capture([&](cudaStream_t origin) {
    for (const char letter : letters) mark(letter, origin);
  });
}

/// Returns a graph of unordered kernels.
Graph side_by_side(const std::string& letters) {
  std::vector<Stream> lanes;
  return capture([&](cudaStream_t origin) {
    for (std::size_t lane = 0; lane < letters.size(); ++lane) {
      lanes.push_back(make_stream());
      order(origin, lanes.back().get());
    }
    for (std::size_t lane = 0; lane < letters.size(); ++lane)
      mark(letters[lane], lanes[lane].get());
    for (const Stream& lane : lanes) order(lane.get(), origin);
  });
}

}  // namespace

// Programming Guide 4.2.1, Graph Structure: a node may run as soon as its dependencies are
// complete; the lane of its capture and the stream of its launch add nothing.
TRILANE_OUTCOMES(only_edges_order_the_nodes_of_a_graph, "abc acb bac bca cab cba") {
  const Stream stream = make_stream();
  const GraphExec executable = instantiate(side_by_side("abc").get());
  launch(executable, stream);
  return trace_after(stream);
}

TRILANE_OUTCOMES(edges_order_the_nodes_of_a_graph, "abcd acbd") {
  const Stream stream = make_stream(), lane = make_stream();
  const Graph graph = capture([&](cudaStream_t origin) {
    mark('a', origin);
    order(origin, lane.get());
    mark('b', origin);
    mark('c', lane.get());
    order(lane.get(), origin);
    mark('d', origin);
  });
  const GraphExec executable = launched(graph, stream);
  return trace_after(stream);
}

// The same, as a mistake: two nodes that write the same bytes with no path between them.
TRILANE_OUTCOMES(nodes_without_a_path_between_them_are_unordered, "unordered") {
  const Stream stream = make_stream(), lane = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  const Graph graph = capture([&](cudaStream_t origin) {
    order(origin, lane.get());
    use('a', memory.get(), 4, Touch::write, origin);
    use('b', memory.get(), 4, Touch::write, lane.get());
    order(lane.get(), origin);
  });
  const GraphExec executable = launched(graph, stream);
  check(cudaStreamSynchronize(stream.get()));
  return found();
}

// Runtime API, Graph Management, cudaGraphLaunch: a launch comes after all previous work of its
// stream; and Programming Guide 2.3.5: later work of the stream comes after all of the launch.
TRILANE_OUTCOMES(a_launch_takes_its_turn_in_the_stream, "xaby xbay") {
  const Stream stream = make_stream();
  const GraphExec executable = instantiate(side_by_side("ab").get());
  mark('x', stream.get());
  launch(executable, stream);
  mark('y', stream.get());
  return trace_after(stream);
}

// Runtime API, Event Management, cudaEventRecord: an event after a launch stands for all of it.
TRILANE_OUTCOMES(an_event_after_a_launch_covers_all_its_nodes, "aby bay") {
  const Stream stream = make_stream(), other = make_stream();
  const GraphExec executable = instantiate(side_by_side("ab").get());
  launch(executable, stream);
  order(stream.get(), other.get());
  mark('y', other.get());
  return trace_after(other);
}

// Runtime API, cudaGraphLaunch: a launch comes after the previous launches of the same executable
// graph, whatever stream they were in.
TRILANE_OUTCOMES(an_executable_graph_does_not_run_beside_itself, "abab") {
  const Stream first = make_stream(), second = make_stream();
  const GraphExec executable = instantiate(chain("ab").get());
  launch(executable, first);
  launch(executable, second);
  return trace_at_end();
}

// The same: to run concurrently, a graph is instantiated more than once.
TRILANE_OUTCOMES(two_executable_graphs_of_one_graph_may_run_side_by_side, "aabb abab") {
  const Stream first = make_stream(), second = make_stream();
  const Graph graph = chain("ab");
  const GraphExec one = instantiate(graph.get()), two = instantiate(graph.get());
  launch(one, first);
  launch(two, second);
  return trace_at_end();
}

// Programming Guide 4.2.2, Building and Running Graphs: instantiation takes a snapshot of the
// graph.
BOOST_FIXTURE_TEST_CASE(an_executable_graph_does_not_need_its_graph, OneStream) {
  Graph graph = chain("ab");
  const GraphExec executable = instantiate(graph.get());
  graph.reset();
  launch(executable, stream);
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "abab");
}

// Runtime API, Graph Management, cudaGraphUpload: uploads without executing.
BOOST_FIXTURE_TEST_CASE(an_upload_runs_nothing, OneStream) {
  const GraphExec executable = instantiate(chain("a").get());
  check(cudaGraphUpload(executable.get(), stream.get()));
  BOOST_TEST(trace_after(stream) == "-");
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "a");
}

// Programming Guide 4.2.3, Updating Instantiated Graphs: an update takes effect at the next launch;
// earlier launches stay as they were, even those that have not run yet.
TRILANE_OUTCOMES(an_update_changes_only_later_launches, "abcd") {
  const Stream stream = make_stream();
  const GraphExec executable = instantiate(chain("ab").get());
  const Graph update = chain("cd");
  launch(executable, stream);
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable.get(), update.get(), &info));
  BOOST_TEST(info.result == cudaGraphExecUpdateSuccess);
  launch(executable, stream);
  return trace_after(stream);
}

// Runtime API, Graph Management, cudaGraphExecUpdate: another topology, or another type of node, is
// refused, and Programming Guide 4.2.3.1 then builds a new executable graph.
BOOST_FIXTURE_TEST_CASE(an_update_may_change_neither_topology_nor_the_type_of_a_node, OneStream) {
  const DeviceBuffer memory = make_device_buffer(4);
  const GraphExec executable = instantiate(chain("ab").get());
  const auto refused = [&](const Graph& graph) {
    cudaGraphExecUpdateResultInfo info{};
    BOOST_TEST(cudaGraphExecUpdate(executable.get(), graph.get(), &info) ==
               cudaErrorGraphExecUpdateFailure);
    return info.result;
  };
  BOOST_TEST(refused(chain("abc")) == cudaGraphExecUpdateErrorTopologyChanged);
  BOOST_TEST(refused(side_by_side("ab")) == cudaGraphExecUpdateErrorTopologyChanged);
  BOOST_TEST(refused(capture([&](cudaStream_t origin) {
               mark('a', origin);
               check(cudaMemsetAsync(memory.get(), 0, 4, origin));
             })) == cudaGraphExecUpdateErrorNodeTypeChanged);
  launch(executable, stream);
  BOOST_TEST(trace_after(stream) == "ab");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
