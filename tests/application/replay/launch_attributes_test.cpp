// Launch attributes that a capture keeps, in the same calls and in graphs, on a fake driver.
#include "common/application/replay/replayed_call.hpp"
#include "tests/application/replay/replayed.hpp"

BOOST_AUTO_TEST_SUITE(launch_attributes)

template <typename Value>
CUlaunchAttribute attribute(CUlaunchAttributeID id, Value CUlaunchAttributeValue::*member,
                            Value value) {
  CUlaunchAttribute made{};
  made.id = id;
  made.value.*member = value;
  return made;
}

const CUlaunchAttribute programmatic =
    attribute(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
              &CUlaunchAttributeValue::programmaticStreamSerializationAllowed, 1);
const CUlaunchAttribute cooperative =
    attribute(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &CUlaunchAttributeValue::cooperative, 1);
const CUlaunchAttribute carveout = attribute(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                             &CUlaunchAttributeValue::sharedMemCarveout, 50u);
const CUlaunchAttribute important =
    attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY, &CUlaunchAttributeValue::priority, -3);
/// An attribute of a driver that is not yet out.
const CUlaunchAttribute newer =
    attribute(static_cast<CUlaunchAttributeID>(31), &CUlaunchAttributeValue::cooperative, 0);

CUlaunchAttribute cluster_of_two() {
  CUlaunchAttribute made{};
  made.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  made.value.clusterDim = {2, 1, 1};
  return made;
}

/// A chain with a kernel of each sort, in a stream with that priority and another beside it.
struct Attributed : Program {
  explicit Attributed(int priority) : one(stream(CU_STREAM_NON_BLOCKING, priority)) {}

  const std::uint64_t a = device(bytes), b = device(bytes), out = pinned(bytes);
  const CUstream one, two = stream();
  const CUevent forked = event(), joined = event();
  Kernel& sum = kernel(3, add_numbers);

  Taken take_one() {
    return take([this](std::uint32_t) {
      memset(a, 1, 4, bytes, one);
      launch(sum, {b, a, 1}, one, {programmatic});  // follows a memset: a full edge
      launch(sum, {a, b, 2}, one, {programmatic, carveout});
      launch(sum, {b, a, 3}, one, {programmatic, cluster_of_two()});
      launch(sum, {a, b, 4}, one, {cooperative});
      record(forked, one);
      wait(two, forked);
      launch(sum, {b, a, 5}, two, {programmatic});  // of another stream: early, too
      launch(sum, {b, b, 6}, two, {important});
      record(joined, two);
      wait(one, joined);
      copy(out, b, bytes, one);
      synchronize(one);
    });
  }
};

std::uint64_t fact(const Ran& ran, const std::string& name) {
  const auto found = std::ranges::find(ran.evidence, name, &Count::name);
  BOOST_REQUIRE(found != ran.evidence.end());
  return found->value;
}

using Ids = std::vector<CUlaunchAttributeID>;

/// Returns the attributes of each kernel node of the only graph, in the order of the launches.
std::vector<Ids> node_attributes() {
  std::vector<Ids> all;
  for (const auto& node : state().graphs.begin()->second->nodes) {
    if (node->type != CU_GRAPH_NODE_TYPE_KERNEL) continue;
    Ids& ids = all.emplace_back();
    for (const auto& [id, value] : node->attributes) ids.push_back(id);
  }
  return all;
}

BOOST_AUTO_TEST_CASE(a_graph_holds_what_a_capture_of_the_same_calls_does) {
  Attributed program(-5);
  const Taken taken = program.take_one();
  const Ran ran = run_right(ReplayWay::graph, taken);
  BOOST_TEST(fact(ran, "kernel nodes") == 6u);
  BOOST_TEST(fact(ran, "copy nodes") == 1u);
  BOOST_TEST(fact(ran, "memset nodes") == 1u);
  BOOST_TEST(fact(ran, "edges") == 7u);
  BOOST_TEST(fact(ran, "programmatic edges") == 3u);
  BOOST_TEST(fact(ran, "prioritised kernels") == 5u);
  BOOST_TEST(fact(ran, "cooperative kernels") == 1u);
  BOOST_TEST(fact(ran, "kernels in clusters") == 1u);
}

BOOST_AUTO_TEST_CASE(nodes_have_the_attributes_and_the_edges_their_port) {
  Attributed program(-5);
  const Taken taken = program.take_one();
  const auto graph = make_candidate(ReplayWay::graph, taken.iteration);
  BOOST_REQUIRE(state().graphs.size() == 1u);
  const Ids of_stream{CU_LAUNCH_ATTRIBUTE_PRIORITY};
  const std::vector<Ids> wanted{
      of_stream,
      {CU_LAUNCH_ATTRIBUTE_PRIORITY, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT},
      {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_PRIORITY},
      {CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_PRIORITY},
      {},
      of_stream};
  BOOST_TEST((node_attributes() == wanted));
  std::vector<int> ports, priorities;
  for (const auto& node : state().graphs.begin()->second->nodes) {
    for (const CUgraphEdgeData& edge : node->edges) ports.push_back(edge.from_port);
    const auto own = node->attributes.find(CU_LAUNCH_ATTRIBUTE_PRIORITY);
    if (own != node->attributes.end()) priorities.push_back(own->second.priority);
  }
  BOOST_TEST((ports == std::vector{0, 1, 1, 0, 1, 0, 0}));
  BOOST_TEST((priorities == std::vector{-5, -5, -5, -5, -3}));
}

BOOST_AUTO_TEST_CASE(the_same_calls_are_launched_with_the_same_attributes) {
  Attributed program(0);
  const Taken taken = program.take_one();
  const auto same = make_candidate(ReplayWay::calls, taken.iteration);
  state().launch_attributes.clear();
  issue(*same);
  std::vector<Ids> all;
  for (const auto& attributes : state().launch_attributes) {
    Ids& ids = all.emplace_back();
    for (const CUlaunchAttribute& attribute : attributes) ids.push_back(attribute.id);
  }
  const CUlaunchAttributeID serial = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  const std::vector<Ids> wanted{{serial},
                                {serial, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT},
                                {serial, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION},
                                {CU_LAUNCH_ATTRIBUTE_COOPERATIVE},
                                {serial},
                                {CU_LAUNCH_ATTRIBUTE_PRIORITY}};
  BOOST_TEST((all == wanted));
}

BOOST_AUTO_TEST_CASE(an_event_in_between_leaves_the_edge_programmatic) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream();
  const CUevent event = program.event();
  Kernel& sum = program.kernel(3, add_numbers);
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(sum, {a, a, 1}, one, {programmatic});
    program.record(event, one);
    program.wait(one, event);
    program.launch(sum, {a, a, 2}, one, {programmatic});
    program.synchronize(one);
  });
  const Ran ran = run(ReplayWay::graph, taken);
  BOOST_TEST(fact(ran, "edges") == 1u);
  BOOST_TEST(fact(ran, "programmatic edges") == 1u);
}

BOOST_AUTO_TEST_CASE(graphs_keep_priorities_that_differ_from_the_launch_streams) {
  for (const bool differ : {false, true}) {
    Program program;
    const std::uint64_t a = program.device(bytes), b = program.device(bytes);
    const CUstream one = program.stream(CU_STREAM_NON_BLOCKING, -2);
    const CUstream two = program.stream(CU_STREAM_NON_BLOCKING, differ ? 0 : -2);
    Kernel& sum = program.kernel(3, add_numbers);
    const Taken taken = program.take([&](std::uint32_t) {
      program.launch(sum, {a, a, 1}, one);
      program.launch(sum, {b, b, 2}, two);
      program.synchronize();
    });
    const auto graph = make_candidate(ReplayWay::graph, taken.iteration);
    BOOST_REQUIRE(state().execs.size() == 1u);
    const unsigned long long wanted = differ ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY : 0;
    BOOST_TEST(state().execs.begin()->second->flags == wanted);
  }
}

BOOST_AUTO_TEST_CASE(every_attribute_of_the_header_has_its_place) {
  for (int id = CU_LAUNCH_ATTRIBUTE_IGNORE; id <= CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
       ++id) {
    BOOST_TEST((kept_by_capture(static_cast<CUlaunchAttributeID>(id)) != AttributeKept::unknown),
               id);
  }
  const CUlaunchAttribute all[] = {programmatic, cooperative, cluster_of_two(),
                                   carveout,     important,   newer};
  const LaunchAttributes wanted{.cooperative = true,
                                .programmatic = true,
                                .cluster = {2, 1, 1},
                                .priority = -3,
                                .others = 1,
                                .unknown = 1};
  BOOST_TEST((in_recording(all) == wanted));
}

BOOST_AUTO_TEST_CASE(a_graph_is_refused_where_an_attribute_is_not_known) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream();
  Kernel& sum = program.kernel(3, add_numbers);
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(sum, {a, a, 1}, one, {newer});
    program.synchronize(one);
  });
  BOOST_TEST(
      why_not(ReplayWay::graph, taken.iteration) ==
      "cuLaunchKernelEx: it is not known whether a capture keeps an attribute of the launch");
  BOOST_TEST(why_not(ReplayWay::calls, taken.iteration) == "");
}

BOOST_AUTO_TEST_SUITE_END()
