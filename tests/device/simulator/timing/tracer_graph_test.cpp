// A tracer's records of graphs: the label of a node's work, and its node.
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/built_kit.hpp"
#include "tests/device/simulator/timing/tracer_kit.hpp"

namespace trilane::simulator::rules {

BOOST_AUTO_TEST_SUITE(tracer_graphs)

namespace {

const Label one{.chunk = 3, .lane = 1}, other{.chunk = 4, .lane = 0};

void labelled_mark(const Label& label, cudaStream_t stream) {
  const Labelled labelled(label);
  mark('a', stream);
}

/// Returns two kernels, the second one for the whole pass.
Graph captured(const Label& first) {
  return capture([&first](cudaStream_t origin) {
    labelled_mark(first, origin);
    mark('b', origin);
  });
}

std::vector<TracedOperation> launched(const Traced& traced, const GraphExec& executable) {
  launch(executable, traced.stream);
  const auto operations = traced.wait_and_take().operations;
  BOOST_TEST_REQUIRE(operations.size() == 2u);
  return operations;
}

/// Returns true if the labels of the two kernels are `first` and none.
bool are_labelled(const std::vector<TracedOperation>& operations, const Label& first) {
  return operations[0].label == first && operations[1].label == Label{};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_capture_issues_no_operation) {
  const Traced traced;
  const Graph graph = capture([](cudaStream_t origin) {
    const Stream lane = make_stream();
    order(origin, lane.get());
    mark('a', lane.get());
    order(lane.get(), origin);
  });
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST(records.operations.empty());
  BOOST_TEST(names_of(records.calls).find("cudaLaunchKernel") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_node_is_for_what_the_call_was_that_made_it) {
  const Traced traced;
  BOOST_TEST(are_labelled(launched(traced, instantiate(captured(one).get())), one));
  const Graph built = make_graph();
  {
    const Labelled labelled(other);
    add_mark(built, {}, 'a');
  }
  add_mark(built, {}, 'b');
  const Labelled labelled(one);  // the launch has no label
  BOOST_TEST(are_labelled(launched(traced, instantiate(built.get())), other));
}

BOOST_AUTO_TEST_CASE(a_graph_made_before_the_tracer_is_labelled_too) {
  Traced traced;
  traced.tracer.reset();
  const GraphExec executable = instantiate(captured(one).get());
  traced.tracer = start_tracing();
  BOOST_TEST(are_labelled(launched(traced, executable), one));
}

BOOST_AUTO_TEST_CASE(the_nodes_of_an_executable_keep_their_labels_and_numbers) {
  const Traced traced;
  const Graph graph = captured(one);
  const GraphExec executable = instantiate(graph.get());
  const auto first = launched(traced, executable);
  BOOST_TEST(first[0].graph_node != 0u);
  BOOST_TEST(first[1].graph_node != 0u);
  BOOST_TEST(first[0].graph_node != first[1].graph_node);
  const auto is_the_same = [&] {
    const auto again = launched(traced, executable);
    return are_labelled(again, one) && again[0].graph_node == first[0].graph_node &&
           again[1].graph_node == first[1].graph_node;
  };
  BOOST_TEST(is_the_same());
  update(executable, captured(other));
  BOOST_TEST(is_the_same());
  cudaGraphNode_t node = nullptr;
  std::size_t count = 1;
  check(cudaGraphGetNodes(graph.get(), &node, &count));
  {
    const Labelled labelled(other);
    check(cudaGraphExecKernelNodeSetParams(executable.get(), node, NodeKernel('c').get()));
  }
  BOOST_TEST(is_the_same());
}

BOOST_AUTO_TEST_CASE(the_nodes_of_two_executables_of_a_graph_are_different_ones) {
  const Traced traced;
  const Graph graph = captured(one);
  const auto first = launched(traced, instantiate(graph.get()));
  const auto second = launched(traced, instantiate(graph.get()));
  for (const TracedOperation& operation : second) {
    BOOST_TEST(operation.graph_node != first[0].graph_node);
    BOOST_TEST(operation.graph_node != first[1].graph_node);
  }
}

BOOST_AUTO_TEST_CASE(a_launch_issues_all_of_its_nodes) {
  const Traced traced;
  const GraphExec executable = instantiate(captured(one).get());
  traced.tracer->take();
  launch(executable, traced.stream);
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST(names_of(records.calls) == "cudaGraphLaunch, cudaStreamSynchronize");
  for (const TracedOperation& operation : records.operations) {
    BOOST_TEST(operation.call == records.calls[0].id);
    BOOST_TEST(operation.stream == traced.stream->number);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
