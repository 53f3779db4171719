// Applications whose calls hold several operations: graphs of their own, and batches of copies.
#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(graphs_of_an_application)

/// Copy in, kernel, copy out.
std::shared_ptr<const ObservedGraph> three_nodes(std::uint32_t turn = 0, std::uint64_t bytes = 4096,
                                                 std::uint64_t kernel = 10) {
  return FakeGraph()
      .copy(device_in, pinned_in, bytes)
      .kernel(kernel, {device_out, device_in + 64, turn, 0, 3, 0}, {0})
      .copy(pinned_out, device_out, 4096, {1})
      .made();
}

template <typename Graph>
ApplicationRecording recorded(
    Graph graph, std::uint64_t executable(int) = [](int) { return std::uint64_t{77}; }) {
  ReadyApplication app;
  for (int i = 0; i < 12; ++i) {
    app.launch_graph(executable(i), graph(i));
    app.synchronize();
  }
  return app.recorder.recording();
}

BOOST_AUTO_TEST_CASE(a_graph_is_recorded_with_what_its_nodes_use) {
  const auto graph = three_nodes();
  const ApplicationRecording recording = recorded([&](int) { return graph; });
  BOOST_REQUIRE((recording.found == Found::repeats));
  BOOST_REQUIRE(recording.calls.size() == 2u);
  BOOST_REQUIRE(recording.calls[0].graph.has_value());
  BOOST_REQUIRE(recording.graphs.size() == 1u);
  const std::vector<RecordedNode>& nodes = recording.graphs[0].nodes;
  BOOST_REQUIRE(nodes.size() == 3u);
  BOOST_TEST((nodes[0].kind == CallKind::copy && nodes[0].bytes == 4096u));
  BOOST_REQUIRE(nodes[0].uses.size() == 2u);
  BOOST_TEST((recording.memory[nodes[0].uses[0].memory].kind == MemoryKind::pinned));
  BOOST_TEST((nodes[0].uses[0].use == Use::reads && nodes[0].uses[1].use == Use::writes));
  BOOST_TEST((nodes[1].kind == CallKind::kernel && nodes[1].grid.size() == 3u));
  BOOST_TEST(recording.kernels[nodes[1].kernel].name == "kernel 10");
  BOOST_REQUIRE(nodes[1].uses.size() == 2u);
  BOOST_TEST(nodes[1].uses[1].offset == 64u);
  BOOST_TEST((nodes[1].after == std::vector<std::uint32_t>{0}));
  BOOST_TEST((nodes[2].after == std::vector<std::uint32_t>{1}));
  BOOST_TEST((recording.calls[0].pointers == Variation::constant));
  const std::string text = recording_to_json(recording);
  BOOST_TEST(recording_to_json(recording_from_json(text)) == text);
}

BOOST_AUTO_TEST_CASE(what_a_graph_allocates_is_memory_of_the_nodes_behind) {
  // As the driver answers if the graph's memory does not exist between launches.
  constexpr std::uint64_t scratch = std::uint64_t{7} << 44;
  const auto graph = FakeGraph()
                         .allocate(scratch, 8192)
                         .copy(scratch, pinned_in, 4096, {0})
                         .kernel(10, {device_out, scratch + 64, 0, 0, 3, 0}, {1})
                         .copy(pinned_out, scratch, 4096, {2})
                         .free(scratch, {3})
                         .allocate(scratch, 4096, {4})
                         .copy(pinned_out, scratch, 4096, {5})
                         .free(scratch, {6})
                         .made();
  const ApplicationRecording recording = recorded([&](int) { return graph; });
  BOOST_REQUIRE(recording.graphs.size() == 1u);
  const std::vector<RecordedNode>& nodes = recording.graphs[0].nodes;
  BOOST_REQUIRE(nodes.size() == 8u);
  const auto used = [&](std::size_t node, std::size_t use) {
    return nodes[node].uses.at(use).memory;
  };
  const std::uint32_t first = used(0, 0), second = used(5, 0);
  BOOST_TEST(first != second);
  for (const std::uint32_t each : {first, second}) {
    BOOST_TEST((recording.memory[each].kind == MemoryKind::pool));
    BOOST_TEST(recording.memory[each].within);
  }
  BOOST_TEST(recording.memory[first].bytes == 8192u);
  BOOST_TEST(used(1, 1) == first);
  BOOST_TEST(used(2, 1) == first);
  BOOST_TEST(nodes[2].uses[1].offset == 64u);
  BOOST_TEST(used(3, 0) == first);
  BOOST_TEST(used(4, 0) == first);
  BOOST_TEST(nodes[4].bytes == 8192u);
  BOOST_TEST(used(6, 0) == second);
  const std::string text = recording_to_json(recording);
  BOOST_TEST(recording_to_json(recording_from_json(text)) == text);
}

BOOST_AUTO_TEST_CASE(handles_and_arguments_make_no_other_graph) {
  const ApplicationRecording recording =
      recorded([](int i) { return three_nodes(static_cast<std::uint32_t>(i)); },
               [](int i) { return 100 + static_cast<std::uint64_t>(i); });
  BOOST_REQUIRE((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 2u);
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_TEST(recording.graphs.size() == 1u);
}

BOOST_AUTO_TEST_CASE(two_different_graphs_are_two_calls) {
  const auto one = three_nodes();
  for (const auto& other : {three_nodes(0, 2048), three_nodes(0, 4096, 11),
                            FakeGraph()
                                .copy(device_in, pinned_in, 4096)
                                .kernel(10, {device_out, device_in + 64, 0, 0, 3, 0})
                                .copy(pinned_out, device_out, 4096, {1})
                                .made()}) {
    const ApplicationRecording recording =
        recorded([&](int i) { return i % 2 == 0 ? one : other; });
    BOOST_TEST(recording.calls.size() == 4u);
    BOOST_TEST(recording.graphs.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(copies_of_other_kinds_of_memory_differ) {
  const auto in = FakeGraph().copy(device_in, pinned_in, 64).made();
  const auto within = FakeGraph().copy(device_in, device_out, 64).made();
  const ApplicationRecording recording = recorded([&](int i) { return i % 2 == 0 ? in : within; });
  BOOST_TEST(recording.calls.size() == 4u);
}

BOOST_AUTO_TEST_CASE(two_graphs_in_turn_alternate) {
  const auto one = three_nodes(1), other = three_nodes(2);
  const ApplicationRecording recording = recorded([&](int i) { return i % 2 == 0 ? one : other; });
  BOOST_REQUIRE(recording.calls.size() == 2u);
  BOOST_TEST((recording.calls[0].pointers == Variation::alternates));
}

BOOST_AUTO_TEST_CASE(a_graph_that_is_not_known_is_told_by_its_handle) {
  const ApplicationRecording recording =
      recorded([](int) { return std::shared_ptr<const ObservedGraph>(); },
               [](int i) { return std::uint64_t{70} + static_cast<std::uint64_t>(i % 2); });
  BOOST_TEST(recording.calls.size() == 4u);
  BOOST_TEST(!recording.calls[0].graph);
  BOOST_TEST(recording.graphs.empty());
}

BOOST_AUTO_TEST_CASE(a_node_that_is_set_is_a_call_of_the_iteration) {
  ReadyApplication app;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const auto graph = three_nodes(i);
    app.call({.kind = CallKind::change_graph,
              .function = FakeApplication::number(Driver::change_graph),
              .executable = 77,
              .changed = graph->nodes[1],
              .node = 1});
    app.launch_graph(77, graph);
    app.synchronize();
  }
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_REQUIRE(recording.calls.size() == 3u);
  BOOST_TEST((recording.calls[0].kind == CallKind::change_graph));
  BOOST_TEST((recording.calls[0].pointers == Variation::changes));
  BOOST_TEST(!recording.calls[0].graph);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(batched_application)

using Copies = std::vector<ObservedBatch::Copy>;

/// Returns the recording of an application that makes these batches in turn, each followed by a
/// wait.
ApplicationRecording recorded(const std::vector<Copies>& in_turn) {
  ReadyApplication app;
  constexpr std::size_t turns = 24;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const Copies& copies = in_turn[turn % in_turn.size()];
    ObservedCall call{.kind = CallKind::copy,
                      .function = app.number(Driver::copy_in),
                      .stream = 1,
                      .destination = copies[0].destination,
                      .source = copies[0].source};
    for (const ObservedBatch::Copy& copy : copies) call.bytes += copy.bytes;
    call.batch = std::make_shared<ObservedBatch>(ObservedBatch{copies, {}, {}});
    app.call(call);
    app.synchronize();
  }
  return app.recorder.recording();
}

constexpr std::uint64_t pageable_in = std::uint64_t{0x7} << 44;

BOOST_AUTO_TEST_CASE(a_batch_has_the_ranges_of_each_copy) {
  const ApplicationRecording recording =
      recorded({{{device_in, pinned_in, 4096}, {device_out + 256, pageable_in, 64}}});
  BOOST_REQUIRE(recording.calls.size() == 2u);
  const RecordedCall& batch = recording.calls[0];
  BOOST_TEST(batch.bytes == 4160u);
  BOOST_TEST(copies_in(batch) == 2u);
  BOOST_REQUIRE(batch.uses.size() == 4u);
  const auto kind = [&](std::size_t use) { return recording.memory[batch.uses[use].memory].kind; };
  BOOST_TEST((kind(0) == MemoryKind::pinned && kind(1) == MemoryKind::device));
  BOOST_TEST((kind(2) == MemoryKind::pageable && kind(3) == MemoryKind::device));
  const UsedRange from{batch.uses[0].memory, 0, 4096, Use::reads};
  const UsedRange to{batch.uses[3].memory, 256, 64, Use::writes};
  BOOST_TEST((batch.uses[0] == from));
  BOOST_TEST((batch.uses[3] == to));
  BOOST_TEST((batch.pointers == Variation::constant));
}

BOOST_AUTO_TEST_CASE(batches_differ_by_the_number_of_copies_their_bytes_and_kinds) {
  const Copies two{{device_in, pinned_in, 4096}, {device_out, pinned_in, 64}};
  const auto calls_with = [&](const Copies& other) { return recorded({two, other}).calls.size(); };
  BOOST_TEST(calls_with(two) == 2u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4160}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 64}, {device_out, pinned_in, 4096}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4096}, {device_out, pageable_in, 64}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4096}, {pinned_out, pinned_in, 64}}) == 4u);
}

BOOST_AUTO_TEST_CASE(the_addresses_of_every_copy_may_vary) {
  const auto pointers = [](std::uint64_t to, std::uint64_t from) {
    const Copies first{{device_in, pinned_in, 4096}, {device_out, pinned_in, 64}};
    const ApplicationRecording recording =
        recorded({first, {{device_in, pinned_in, 4096}, {to, from, 64}}});
    BOOST_TEST(recording.calls.size() == 2u);
    return recording.calls[0].pointers;
  };
  BOOST_TEST((pointers(device_out, pinned_in) == Variation::constant));
  BOOST_TEST((pointers(device_out + 64, pinned_in) == Variation::alternates));
  BOOST_TEST((pointers(device_out, pinned_in + 64) == Variation::alternates));
}

BOOST_AUTO_TEST_SUITE_END()
