// Segments between host waits, and the order within them.
#include "common/application/iteration/call_segments.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(call_segments)

using After = std::vector<std::vector<std::uint32_t>>;

/// A recording that a test writes call by call; each call takes 1 us, 2 us after the previous one.
struct Calls {
  ApplicationRecording recording;

  explicit Calls(std::vector<StreamKind> kinds) {
    for (const StreamKind kind : kinds) recording.streams.push_back({.kind = kind});
    recording.kernels.resize(1);
  }
  Calls& add(CallKind kind, std::uint32_t stream, std::uint32_t event = 0) {
    RecordedCall call;
    call.kind = kind;
    call.stream = stream;
    call.event = event;
    call.host_us = 1;
    call.start_us = 2 + 3 * static_cast<double>(recording.calls.size());
    recording.calls.push_back(call);
    return *this;
  }
  Calls& op(std::uint32_t stream) { return add(CallKind::kernel, stream); }
  Calls& record(std::uint32_t stream, std::uint32_t event) {
    return add(CallKind::record_event, stream, event);
  }
  Calls& wait(std::uint32_t stream, std::uint32_t event) {
    return add(CallKind::wait_event, stream, event);
  }
  Calls& sync_event(std::uint32_t event) { return add(CallKind::synchronize_event, 0, event); }
  Calls& sync(std::uint32_t stream) { return add(CallKind::synchronize_stream, stream); }

  std::vector<CallSegment> segments() const { return segments_of(recording); }
  After after(std::size_t segment = 0) const {
    After after;
    const CallSegment found = segments().at(segment);
    for (const SegmentNode& node : found.nodes) after.push_back(node.after);
    return after;
  }
};

constexpr auto blocking = StreamKind::blocking;
constexpr auto free_one = StreamKind::non_blocking;
constexpr auto legacy = StreamKind::legacy;

/// Returns two streams, each with an event that the host waits for before it uses the stream again.
Calls in_turn() {
  Calls calls({free_one, free_one});
  return calls.op(0).record(0, 0).sync_event(1).op(1).record(1, 1).sync_event(0);
}

BOOST_AUTO_TEST_CASE(a_loop_that_leaves_work_behind_runs_ahead) {
  BOOST_TEST(runs_ahead(in_turn().recording));
  BOOST_TEST(!runs_ahead(Calls({free_one}).op(0).sync(0).recording));
}

BOOST_AUTO_TEST_CASE(iterations_may_be_together_if_only_a_wait_lies_between_them) {
  Calls one_wait({free_one});
  one_wait.recording.found = Found::repeats;
  one_wait.op(0).op(0).sync(0);
  BOOST_TEST(why_not_together(one_wait.recording) == "");
  const auto why = [&](auto change) {
    ApplicationRecording recording = one_wait.recording;
    change(recording);
    return why_not_together(recording);
  };
  BOOST_TEST(why([](auto& all) { all.calls.pop_back(); }) == "");  // the host never waits
  BOOST_TEST(why([](auto& all) { all.found = Found::in_kind; }) ==
             "it is not known what the next iteration does");
  BOOST_TEST(why([](auto& all) { all.queried = true; }) ==
             "the host asks whether work is done, and may act on it");
  BOOST_TEST(why([](auto& all) { all.threads = 2; }) == "other threads may act between iterations");
  BOOST_TEST(why([](auto& all) { all.watched_us = {3000}; }) ==
             "a launch and a wait are less than 1% of so long an iteration");
  BOOST_TEST(why([](auto& all) { all.calls[0].kind = CallKind::synchronize_stream; }) == "");
  ApplicationRecording ahead = in_turn().recording;
  ahead.found = Found::repeats;
  BOOST_TEST(why_not_together(ahead) == "the host waits for earlier iterations only");
}

BOOST_AUTO_TEST_CASE(what_begins_and_ends_an_iteration) {
  Calls fork({free_one, free_one});
  fork.op(0).record(0, 0).wait(1, 0).op(1).op(0).sync(0);
  const SegmentEnds ends = ends_of(fork.segments().at(0));
  BOOST_TEST((ends.first == std::vector<std::uint32_t>{0}));
  BOOST_TEST((ends.last == std::vector<std::uint32_t>{1, 2}));
}

BOOST_AUTO_TEST_CASE(a_loop_over_other_memory_each_time_is_not_issued_back_to_back) {
  ApplicationRecording recording = in_turn().recording;
  recording.kernels.front() = {.name = "k", .parameters = {{8, true}, {4, false}}};
  recording.calls[0].arguments = {Variation::constant, Variation::alternates};
  BOOST_TEST(runs_ahead(recording));
  recording.calls[0].arguments = {Variation::alternates, Variation::constant};
  BOOST_TEST(!runs_ahead(recording));
  recording.memory.push_back({.kind = MemoryKind::pool, .bytes = 64, .within = true});
  recording.calls[0].uses = {{0, 0, 64, Use::may_use}};
  BOOST_TEST(runs_ahead(recording));  // which the iteration itself allocates
  recording.calls[3].kind = CallKind::memset;
  recording.calls[3].pointers = Variation::changes;
  BOOST_TEST(!runs_ahead(recording));
}

BOOST_AUTO_TEST_CASE(a_wait_is_for_the_segment_that_has_recorded_its_event) {
  using For = SegmentWait::For;
  const std::vector<SegmentWait> waits = waits_of_segments(in_turn().recording);
  BOOST_REQUIRE(waits.size() == 2u);
  BOOST_TEST((waits[0] == SegmentWait{For::segment, 1}));  // of the previous iteration
  BOOST_TEST((waits[1] == SegmentWait{For::segment, 0}));
}

BOOST_AUTO_TEST_CASE(waits_of_other_kinds) {
  using For = SegmentWait::For;
  Calls calls({free_one, free_one, legacy});
  calls.op(0).add(CallKind::synchronize_context, 0).op(1).sync(0).op(2).sync(2).sync_event(7).op(1);
  const std::vector<SegmentWait> waits = waits_of_segments(calls.recording);
  BOOST_REQUIRE(waits.size() == 5u);
  BOOST_TEST((waits[0] == SegmentWait{For::everything, 0}));
  BOOST_TEST((waits[1] == SegmentWait{For::segment, 0}));     // stream 0's last operation
  BOOST_TEST((waits[2] == SegmentWait{For::everything, 0}));  // the legacy stream
  BOOST_TEST((waits[3] == SegmentWait{For::nothing, 0}));     // which nothing records
  BOOST_TEST((waits[4] == SegmentWait{For::nothing, 0}));     // the end
}

BOOST_AUTO_TEST_CASE(streams_and_events_order_operations) {
  const auto test = [](const char* rule, const Calls& calls, const After& after) {
    BOOST_TEST((calls.after() == after), rule);
  };
  test("a stream keeps the order", Calls({blocking}).op(0).op(0).op(0), {{}, {0}, {1}});
  test("streams have no order without events", Calls({blocking, blocking}).op(0).op(1).op(0),
       {{}, {}, {0}});
  test("a wait is for what was recorded",
       Calls({blocking, blocking}).op(0).record(0, 0).op(0).wait(1, 0).op(1), {{}, {0}, {0}});
  test("an event recorded again stands for the later place",
       Calls({blocking, blocking}).op(0).record(0, 0).op(0).record(0, 0).wait(1, 0).op(1),
       {{}, {0}, {1}});
  test("a wait before the record orders nothing",
       Calls({blocking, blocking}).wait(1, 0).op(0).record(0, 0).op(1), {{}, {}});
  test("a wait carries over a stream without operations",
       Calls({blocking, blocking, blocking})
           .op(0)
           .record(0, 0)
           .wait(1, 0)
           .record(1, 1)
           .wait(2, 1)
           .op(2),
       {{}, {0}});
  test("the legacy stream is ordered with blocking streams alone",
       Calls({legacy, blocking, free_one, blocking}).op(1).op(2).op(3).op(0).op(1).op(2).op(3),
       {{}, {}, {}, {0, 2}, {3}, {1}, {3}});
  test("an event on the legacy stream holds what blocking streams did",
       Calls({legacy, blocking, free_one}).op(1).record(0, 0).wait(2, 0).op(2), {{}, {0}});
}

BOOST_AUTO_TEST_CASE(an_iteration_waits_for_all_or_leaves_work_behind) {
  const auto waits = [](const Calls& calls) { return waits_for_all(calls.recording); };
  BOOST_TEST(waits(Calls({blocking}).op(0).sync(0)));
  BOOST_TEST(!waits(Calls({blocking}).sync(0).op(0)));
  BOOST_TEST(!waits(Calls({blocking, blocking}).op(0).op(1).sync(0)));
  BOOST_TEST(waits(Calls({blocking, blocking}).op(0).record(0, 0).wait(1, 0).op(1).sync(1)));
  BOOST_TEST(waits(Calls({blocking, blocking}).op(0).op(1).add(CallKind::synchronize_context, 0)));
}

BOOST_AUTO_TEST_CASE(what_another_edge_implies_is_left_out) {
  const Calls calls = Calls({blocking, blocking})
                          .op(0)
                          .record(0, 0)
                          .op(0)
                          .record(0, 1)
                          .wait(1, 0)
                          .wait(1, 1)
                          .op(1)  // follows 1, which follows 0
                          .record(1, 2)
                          .wait(0, 2)
                          .op(0);  // follows 2, which follows 1
  BOOST_TEST((calls.after() == After{{}, {0}, {1}, {2}}));
}

BOOST_AUTO_TEST_CASE(a_host_wait_begins_another_segment) {
  const Calls calls =
      Calls({blocking, blocking}).op(0).op(1).sync(0).op(0).op(1).add(CallKind::query, 0).sync(1);
  const std::vector<CallSegment> found = calls.segments();
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST((calls.after(0) == After{{}, {}}));
  BOOST_TEST((calls.after(1) == After{{}, {}}));
  BOOST_TEST(found[1].nodes[0].call == 3u);
  BOOST_TEST(found[0].host_us == 6.0);      // three gaps
  BOOST_TEST(found[1].host_us == 8.0 + 1);  // four gaps and the query
}

BOOST_AUTO_TEST_CASE(the_runtime_s_code_goes_with_the_calls) {
  Calls calls = Calls({blocking}).op(0).op(0).sync(0);
  for (RecordedCall& call : calls.recording.calls) {
    call.own_us = 1.5;
    call.call_us = 1;
  }
  calls.recording.calls[1].runtime_us = 0.25;
  const std::vector<double> own{1.5, 1.5, 1.5}, all{1.5, 1.75, 1.5};
  BOOST_TEST(own_gaps(calls.recording) == own, boost::test_tools::per_element());
  BOOST_TEST(host_gaps(calls.recording) == all, boost::test_tools::per_element());
  BOOST_TEST(calls.segments().at(0).host_us == 4.5);
}

BOOST_AUTO_TEST_CASE(the_host_is_as_fast_as_where_only_ends_were_watched) {
  Calls calls = Calls({blocking}).op(0).op(0).sync(0);
  ApplicationRecording& recording = calls.recording;
  for (RecordedCall& call : recording.calls) {
    call.own_us = 1.5;
    call.call_us = 1;
  }
  recording.calls[1].runtime_us = 0.5;  // all together 8 us
  recording.iteration_us = {8, 9};
  recording.watched_us = {3, 4, 20};
  const std::vector<double> own{0.75, 0.75, 0.75}, all{0.75, 1, 0.75}, whole{1.5, 1.5, 1.5};
  const auto each = boost::test_tools::per_element();
  BOOST_TEST(own_gaps(recording) == own, each);
  BOOST_TEST(host_gaps(recording) == all, each);
  recording.watched_us = {30};  // the device took the rest
  BOOST_TEST(own_gaps(recording) == whole, each);
  recording.watched_us = {4};
  recording.threads = 2;
  BOOST_TEST(own_gaps(recording) == whole, each);
}

BOOST_AUTO_TEST_CASE(a_synchronous_copy_ends_its_segment) {
  Calls calls({blocking});
  calls.add(CallKind::copy, 0).op(0).add(CallKind::copy, 0).op(0);
  calls.recording.calls[2].synchronous = true;
  const std::vector<CallSegment> found = calls.segments();
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].nodes.size() == 3u);
  BOOST_TEST(found[1].nodes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_memset_of_the_host_s_memory_ends_its_segment_where_the_host_waits) {
  Calls calls({blocking});
  calls.add(CallKind::memset, 0).op(0);
  RecordedCall& memset = calls.recording.calls.front();
  calls.recording.memory.push_back({.kind = MemoryKind::pinned, .bytes = 4});
  memset.uses = {{0, 0, 4, Use::writes}};
  BOOST_TEST(calls.segments().size() == 1u);
  memset.synchronous = true;
  BOOST_TEST(calls.segments().size() == 2u);
  calls.recording.memory[0].kind = MemoryKind::device;
  BOOST_TEST(calls.segments().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_a_free_waits_for_stays_in_front) {
  const Calls calls = Calls({free_one, free_one, free_one})
                          .op(0)
                          .record(0, 0)
                          .add(CallKind::free, 0)
                          .op(1)
                          .record(1, 1)
                          .wait(2, 0)
                          .wait(2, 1)
                          .op(2)  // follows 1, which follows 0
                          .op(0);
  BOOST_TEST(calls.segments().size() == 1u);
  BOOST_TEST((calls.after() == After{{}, {0}, {1}, {0}}));
}

BOOST_AUTO_TEST_CASE(a_free_before_the_segment_orders_nothing_in_it) {
  const Calls calls = Calls({free_one, free_one}).op(0).add(CallKind::free, 0).sync(0).op(0).op(1);
  BOOST_TEST((calls.after(1) == After{{}, {}}));
}

BOOST_AUTO_TEST_CASE(launches_of_one_executable_graph_follow_one_another) {
  Calls calls = Calls({free_one, free_one});
  for (const std::uint32_t stream : {0, 1, 1, 0}) {
    calls.add(CallKind::graph_launch, stream);
    calls.recording.calls.back().executable = 7;
  }
  BOOST_TEST((calls.after() == After{{}, {0}, {1}, {2}}));
  calls.recording.calls[1].executable = 8;
  BOOST_TEST((calls.after() == After{{}, {}, {0, 1}, {2}}));
  for (RecordedCall& call : calls.recording.calls) call.executable.reset();  // as of a kernel
  BOOST_TEST((calls.after() == After{{}, {}, {1}, {0}}));
}

BOOST_AUTO_TEST_CASE(ten_thousand_operations_take_no_time) {
  Calls calls({blocking, blocking, blocking, blocking});
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    calls.op(i % 4).record(i % 4, i % 16).wait((i + 1) % 4, i % 16);
  }
  BOOST_TEST(calls.segments().front().nodes.size() == 10'000u);
}

BOOST_AUTO_TEST_CASE(what_no_graph_can_hold_is_named) {
  Calls calls({blocking});
  calls.op(0);
  BOOST_TEST(why_no_graph(calls.recording) == "");
  calls.add(CallKind::graph_launch, 0);
  calls.recording.calls.back().name = "cuGraphLaunch";
  BOOST_TEST(why_no_graph(calls.recording) == "cuGraphLaunch: what its graph does is not known");
  calls.recording.graphs.resize(1);
  calls.recording.calls.back().graph = 0;
  BOOST_TEST(why_no_graph(calls.recording) == "");
}

BOOST_AUTO_TEST_CASE(stream_ordered_allocations_are_no_nodes_of_such_a_graph) {
  for (const CallKind kind : {CallKind::allocate_async, CallKind::free_async}) {
    Calls calls({blocking});
    calls.op(0).add(kind, 0).op(0);
    BOOST_TEST(why_no_graph(calls.recording) ==
               ": its memory would have to be allocated by nodes of the graph");
  }
}

BOOST_AUTO_TEST_CASE(only_a_kernel_behind_kernels_alone_may_begin_early) {
  const auto allow = [](Calls& calls) -> Calls& {
    calls.recording.calls.back().attributes = LaunchAttributes{.programmatic = true};
    return calls;
  };
  const auto programmatic = [](const Calls& calls) {
    std::vector<bool> all;
    const CallSegment segment = calls.segments().at(0);
    for (const SegmentNode& node : segment.nodes) all.push_back(node.programmatic);
    return all;
  };
  using All = std::vector<bool>;
  Calls kernels({free_one});
  allow(kernels.op(0));
  kernels.record(0, 0);
  allow(kernels.op(0));
  kernels.op(0);
  BOOST_TEST((programmatic(kernels) == All{false, true, false}));
  Calls behind_copy({free_one});
  behind_copy.add(CallKind::copy, 0);
  allow(behind_copy.op(0));
  BOOST_TEST((programmatic(behind_copy) == All{false, false}));
  Calls across({free_one, free_one});
  across.op(0).record(0, 0).wait(1, 0);
  allow(across.op(1));
  BOOST_TEST((programmatic(across) == All{false, true}));
  Calls waits({free_one, free_one});
  waits.op(0).op(1).record(1, 0).wait(0, 0);
  allow(waits.op(0));
  BOOST_TEST((programmatic(waits) == All{false, false, true}));
  BOOST_TEST((waits.after() == After{{}, {}, {0, 1}}));
  Calls mixed({free_one, free_one});
  mixed.op(0).add(CallKind::copy, 1).record(1, 0).wait(0, 0);
  allow(mixed.op(0));
  BOOST_TEST((programmatic(mixed) == All{false, false, false}));
}

BOOST_AUTO_TEST_SUITE_END()
