// Races of a launched graph's operations.
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/iteration/happens_before.hpp"
#include "common/application/iteration/races.hpp"
#include "common/base/text/page.hpp"
#include "tests/application/diagnosis/recorded.hpp"

BOOST_AUTO_TEST_SUITE(races_of_graphs)

using R = Recorded;

std::vector<RecordedRace> races(Recorded of) {
  of.synchronize();
  return races_in(of.recording, HappensBefore(of.recording, 2)).found;
}

/// Turns the calls from `first` on into a graph without edges, launched in their place.
RecordedGraph& launch(Recorded& app, std::uint32_t stream, std::size_t first = 0) {
  RecordedGraph graph;
  auto& calls = app.recording.calls;
  for (std::size_t i = first; i < calls.size(); ++i)
    graph.nodes.push_back(operation_from<RecordedNode>(calls[i]));
  calls.resize(first);
  app.add(CallKind::graph_launch, "cuGraphLaunch", stream).graph =
      static_cast<std::uint32_t>(app.recording.graphs.size());
  app.recording.graphs.push_back(graph);
  return app.recording.graphs.back();
}

BOOST_AUTO_TEST_CASE(nodes_without_an_edge_race) {
  Recorded app;
  app.copy(0, R::pinned, R::device);
  app.memset(0, R::device, 1024);
  launch(app, R::free_one);
  const auto found = races(app);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].certain);
  BOOST_TEST(found[0].offset == 1024u);
  BOOST_TEST(found[0].earlier.what == "copy host to device in the graph");
  BOOST_TEST(found[0].later.what == "memset in the graph");
  BOOST_TEST(found[0].later.stream == R::free_one);
}

BOOST_AUTO_TEST_CASE(edges_order_nodes_also_over_others) {
  Recorded app;
  app.copy(0, R::pinned, R::device);
  app.kernel(0, {R::other_device});
  app.memset(0, R::device);
  RecordedGraph& graph = launch(app, R::free_one);
  graph.nodes[1].after = {0};
  BOOST_TEST(races(app).size() == 1u);
  graph.nodes[2].after = {1};
  BOOST_TEST(races(app).empty());
}

BOOST_AUTO_TEST_CASE(the_order_of_nodes_is_what_their_edges_lead_to) {
  constexpr std::size_t size = 200;
  RecordedGraph graph;
  graph.nodes.resize(size);
  // Each node except the first few follows those at half and a third of its number.
  std::vector<std::vector<bool>> before(size, std::vector<bool>(size));
  for (std::uint32_t i = 5; i < size; ++i) {
    for (const std::uint32_t earlier : {i / 2, i / 3}) {
      graph.nodes[i].after.push_back(earlier);
      before[i][earlier] = true;
      for (std::size_t j = 0; j < size; ++j) before[i][j] = before[i][j] || before[earlier][j];
    }
  }
  const GraphOrder order(graph);
  for (std::size_t later = 0; later < size; ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      BOOST_REQUIRE(order.ordered(earlier, later) == before[later][earlier]);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_uses_other_memory_counts_as_looked_at) {
  Recorded app;
  app.kernel(0, std::vector<std::uint32_t>(50'000, R::device));
  app.kernel(0, std::vector<std::uint32_t>(50'000, R::other_device));
  launch(app, R::free_one);
  const auto found = [&] { return races_in(app.recording, HappensBefore(app.recording, 2)); };
  BOOST_TEST(found().cut);
  app.recording.graphs[0].nodes[1].after = {0};
  BOOST_TEST(!found().cut);
}

BOOST_AUTO_TEST_CASE(a_node_races_with_another_stream) {
  Recorded app;
  app.kernel(0, {R::device});
  launch(app, R::free_one);
  app.memset(R::free_two, R::device);
  const auto found = races(app);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(!found[0].certain);
  BOOST_TEST(found[0].earlier.what == "kernel scale in the graph");
  BOOST_TEST(found[0].later.what == "memset");
}

BOOST_AUTO_TEST_CASE(each_launch_has_memory_of_its_own_that_its_nodes_allocate) {
  for (const bool allocates : {false, true}) {
    Recorded app;
    app.add(CallKind::allocate_async, "cuMemAllocAsync", 0).uses = {
        {R::device, 0, 1 << 20, Use::may_use}};
    app.memset(0, R::device);
    app.add(CallKind::free_async, "cuMemFreeAsync", 0).uses = {
        {R::device, 0, 1 << 20, Use::may_use}};
    RecordedGraph& graph = launch(app, R::free_one);
    graph.nodes[1].after = {0};
    graph.nodes[2].after = {1};
    if (!allocates) graph.nodes[0].uses.clear();
    app.recording.calls.push_back(app.recording.calls[0]);
    app.recording.calls[1].stream = R::free_two;
    BOOST_TEST(races(app).empty() == allocates);
    app.recording.graphs[0].nodes[1].after.clear();
    BOOST_TEST(!races(app).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_stream_orders_a_graph_with_what_is_around_it) {
  Recorded app;
  app.memset(R::free_one, R::device);
  app.memset(0, R::device);
  launch(app, R::free_one, 1);
  app.copy(R::free_one, R::device, R::pinned);
  BOOST_TEST(races(app).empty());
}

BOOST_AUTO_TEST_CASE(a_memset_before_a_graph_is_not_called_useless) {
  Recorded app;
  app.memset(R::free_one, R::device);
  app.kernel(0, {R::device});
  launch(app, R::free_one, 1);
  app.copy(R::free_one, R::pinned, R::device);
  app.synchronize();
  for (const CallFinding& finding : diagnosis_of(app.recording).findings) {
    BOOST_TEST((finding.kind != FindingKind::memset_overwritten));
  }
}

BOOST_AUTO_TEST_CASE(the_page_says_what_lies_in_the_graphs) {
  Recorded app;
  app.kernel(0, {R::device});
  app.kernel(0, {R::device});
  app.copy(0, R::device, R::pinned);
  launch(app, R::free_one);
  app.synchronize();
  const Diagnosis diagnosis = diagnosis_of(app.recording);
  BOOST_REQUIRE(diagnosis.graphs.has_value());
  BOOST_TEST(diagnosis.graphs->kernels == 2u);
  bool said = false;
  for (const auto& part : diagnosis_page(diagnosis)) {
    if (const auto* const text = std::get_if<Paragraph>(&part)) {
      said = said || text->text == "It launches 1 graph of 2 kernels and 1 copy.";
    }
  }
  BOOST_TEST(said);
  BOOST_TEST(!diagnosis_of(Recorded().recording).graphs);
}

BOOST_AUTO_TEST_SUITE_END()
