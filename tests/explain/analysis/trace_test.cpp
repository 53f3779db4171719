// Results of a trace's records: intervals, overlap, causes, tracks, passes.
#include "common/explain/analysis/trace/trace_summary.hpp"
#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(traces)

using enum Activity;

/// Returns an operation of a chunk whose lane has its number; `call` is its own unless given.
TracedOperation operation(Activity activity, double start, double end, std::uint32_t lane,
                          std::uint64_t call, bool copy_engine = false) {
  return {.activity = activity,
          .name = name_of(activity),
          .start_us = start,
          .end_us = end,
          .bytes = 4,
          .call = call,
          .stream = lane,
          .graph_node = 0,
          .copy_engine = copy_engine,
          .label = {lane, lane}};
}

TracedCall call(std::uint64_t id, double start, double end, std::uint64_t thread = 1) {
  return {
      .id = id, .name = "call", .start_us = start, .end_us = end, .thread = thread, .label = {}};
}

/// Two lanes, each copy in, kernel, copy out, on engines that overlap:
///   in 0 [10, 20]  in 1 [20, 30]; kernel 0 [22, 34]  kernel 1 [32, 40]; out 0 [35, 45] out 1 [50,
///   60]
TracedPass two_lanes() {
  TracedPass pass{
      .begin_us = 0, .end_us = 70, .event_us = 59, .behind_us = 4, .records = {}, .markers = {}};
  pass.records.operations = {
      operation(copy_in, 10, 20, 0, 1, true),  operation(copy_in, 20, 30, 1, 4, true),
      operation(kernel, 22, 34, 0, 2),         operation(kernel, 32, 40, 1, 5),
      operation(copy_out, 35, 45, 0, 3, true), operation(copy_out, 50, 60, 1, 6, true)};
  pass.records.calls = {call(1, 0, 2), call(2, 2, 4),  call(3, 4, 6),
                        call(4, 6, 8), call(5, 8, 10), call(6, 10, 48)};
  pass.markers = {operation(Activity::memset, 1, 3, 0, 1), operation(memset, 66, 68, 0, 6)};
  return pass;
}

const TimelineOverlap& found(const std::vector<TimelineOverlap>& all, Activity of, Activity with) {
  for (const TimelineOverlap& o : all) {
    if (o.of == name_of(of) && o.with == name_of(with)) return o;
  }
  throw std::out_of_range("no such pair");
}

Intervals united(std::initializer_list<Interval> any) {
  Intervals all;
  for (const Interval& one : any) all += one;
  return all;
}

BOOST_AUTO_TEST_CASE(intervals_are_united_and_cut) {
  const Intervals some = united({{5, 7}, {1, 3}, {2, 2.5}, {2, 4}, {7, 8}, {9, 9}});
  BOOST_TEST((some == united({{1, 4}, {5, 8}})));
  BOOST_TEST(some.iterative_size() == 2u);
  BOOST_TEST(length(some) == 6);
  const Intervals other = united({{0, 2}, {3, 6}, {7.5, 20}});
  BOOST_TEST(((some & other) == united({{1, 2}, {3, 4}, {5, 6}, {7.5, 8}})));
  BOOST_TEST(length(some & Intervals()) == 0);
}

BOOST_AUTO_TEST_CASE(overlap_is_between_lanes_and_a_share_of_the_first_one_s_time) {
  const auto all = overlaps(two_lanes());
  BOOST_TEST(all.size() == 9u);
  BOOST_TEST(found(all, copy_in, kernel).us == 8);  // in 1 overlaps kernel 0
  BOOST_TEST(found(all, copy_in, kernel).share == 0.4);
  BOOST_TEST(found(all, kernel, copy_in).us == 8);
  BOOST_TEST(found(all, kernel, copy_in).share == 8.0 / 18);
  BOOST_TEST(found(all, kernel, kernel).us == 2);
  BOOST_TEST(found(all, copy_in, copy_in).us == 0);
  BOOST_TEST(found(all, copy_in, copy_out).us == 0);
  BOOST_TEST(found(all, copy_out, kernel).us == 5);  // out 0 overlaps kernel 1
}

BOOST_AUTO_TEST_CASE(what_runs_on_the_same_lane_or_twice_at_a_time_counts_once) {
  TracedPass pass = two_lanes();
  pass.records.operations = {operation(copy_in, 0, 10, 0, 1, true), operation(kernel, 5, 10, 0, 1),
                             operation(kernel, 5, 8, 1, 1), operation(kernel, 6, 9, 2, 1)};
  BOOST_TEST(found(overlaps(pass), copy_in, kernel).us == 4);  // 5 to 9
}

BOOST_AUTO_TEST_CASE(engines_are_busy_and_idle_for_causes) {
  const auto uses = engine_uses(two_lanes());
  BOOST_TEST_REQUIRE(uses.size() == 3u);
  BOOST_TEST(uses[0].busy.engine == "copy in");
  BOOST_TEST(uses[0].busy.us == 20);
  BOOST_TEST(uses[0].idle.host_us + uses[0].idle.dependency_us + uses[0].idle.latency_us == 0);
  BOOST_TEST(uses[0].idle.done_us == 30);
  BOOST_TEST(uses[1].busy.engine == "compute");
  BOOST_TEST(uses[1].busy.us == 18);
  BOOST_TEST(uses[1].idle.dependency_us == 10);  // until copy in 0 ended
  BOOST_TEST(uses[1].idle.latency_us == 2);
  BOOST_TEST(uses[1].idle.done_us == 20);
  BOOST_TEST(uses[2].busy.engine == "copy out");
  BOOST_TEST(uses[2].idle.dependency_us == 24);  // until kernel 0 ended
  BOOST_TEST(uses[2].idle.host_us == 3);         // its call returned at 48, after 45
  BOOST_TEST(uses[2].idle.latency_us == 1 + 2);
}

BOOST_AUTO_TEST_CASE(operations_wait_for_host_engine_or_nothing_known) {
  const auto waits = waits_of(two_lanes());
  BOOST_TEST_REQUIRE(waits.size() == 3u);
  BOOST_TEST(waits[0].activity == name_of(copy_in));
  BOOST_TEST(waits[0].engine_us == 10);  // copy in 1 for copy in 0
  BOOST_TEST(waits[0].host_us == 0);
  BOOST_TEST(waits[1].activity == name_of(copy_out));
  BOOST_TEST(waits[1].host_us == 8);  // from 40, when its kernel ended, to 48
  BOOST_TEST(waits[1].latency_us == 1 + 2);
  BOOST_TEST(waits[2].activity == name_of(kernel));
  BOOST_TEST(waits[2].engine_us == 2);  // kernel 1 for kernel 0, from 30 to 32
  BOOST_TEST(waits[2].latency_us == 2);
}

BOOST_AUTO_TEST_CASE(what_comes_before_on_the_stream_is_a_dependency_where_no_engine_is_in_use) {
  TracedPass pass = two_lanes();
  // A separate stream for kernels: that of lane 1 ends at 40, a memset of lane 2 comes after it.
  pass.records.operations.insert(pass.records.operations.begin() + 5,
                                 operation(Activity::memset, 44, 45, 2, 7));
  pass.records.calls.push_back(call(7, 48, 48.5));
  for (TracedOperation& o : pass.records.operations) {
    if (o.activity == kernel || o.activity == Activity::memset) o.stream = 9;
  }
  const auto waited = [&] {
    for (const TimelineWaits& w : waits_of(pass)) {
      if (w.activity == name_of(Activity::memset)) return w;
    }
    throw std::out_of_range("no memset");
  };
  pass.records.calls.back() = call(7, 10, 12);
  // Issued at 12: until kernel 0 started at 22 it waited behind it, then for the SMs until 40.
  BOOST_TEST(waited().host_us == 2);
  BOOST_TEST(waited().dependency_us.value() == 10);
  BOOST_TEST(waited().engine_us == 18);
  BOOST_TEST(waited().latency_us == 4);
  pass.records.operations[5].graph_node = 1;  // in a graph edges count, and it has none
  BOOST_TEST(waited().dependency_us.value() == 0);
  BOOST_TEST(waited().latency_us == 14);
  pass.records.operations[5].graph_node = 0;
  BOOST_TEST(engine_uses(pass)[1].idle.dependency_us == 10);  // until copy in 0 ended
  pass.records.operations[5] = operation(Activity::memset, 44, 45, 2, 7);
  pass.records.operations[5].stream = 8;  // alone on it
  BOOST_TEST(waited().dependency_us.value() == 0);
}

BOOST_AUTO_TEST_CASE(an_engine_is_idle_for_what_comes_before_on_the_stream) {
  TracedPass pass = two_lanes();
  pass.records.operations = {operation(copy_in, 10, 20, 0, 1, true),
                             operation(kernel, 25, 30, 1, 2)};
  for (TracedOperation& o : pass.records.operations) o.stream = 9;
  const TimelineIdle idle = engine_uses(pass)[1].idle;
  BOOST_TEST(idle.dependency_us == 10);
  BOOST_TEST(idle.latency_us == 5);
}

BOOST_AUTO_TEST_CASE(a_node_that_starts_while_its_graph_is_launched_waited_for_the_host) {
  TracedPass pass{
      .begin_us = 0, .end_us = 40, .event_us = 30, .behind_us = 0, .records = {}, .markers = {}};
  pass.records.operations = {operation(kernel, 2, 4, 0, 1), operation(kernel, 5, 6, 0, 1),
                             operation(kernel, 12, 14, 0, 1), operation(kernel, 31, 32, 0, 1)};
  for (std::uint64_t node = 1; TracedOperation & o : pass.records.operations) o.graph_node = node++;
  pass.records.calls = {call(1, 0, 20)};
  const auto waits = waits_of(pass);
  BOOST_TEST_REQUIRE(waits.size() == 1u);
  // 4 to 5 is the device's own time; 6 to 12 the host's, and 14 to 20 of the last gap.
  BOOST_TEST(waits[0].host_us == 6 + 6);
  BOOST_TEST(waits[0].latency_us == 1 + 11);
}

BOOST_AUTO_TEST_CASE(what_overlaps_goes_on_to_another_row) {
  TracedPass pass = two_lanes();
  pass.records.calls.push_back(call(7, 3, 5, 2));
  const Tracks tracks(pass);
  BOOST_TEST_REQUIRE(tracks.host.size() == 2u);
  BOOST_TEST(tracks.host[0].name == "host");
  BOOST_TEST(tracks.host[1].name == "host thread 2");
  std::vector<std::string> engines, lanes;
  for (const Track& track : tracks.engines) engines.push_back(track.name);
  for (const Track& track : tracks.lanes) lanes.push_back(track.name);
  const std::vector<std::string> wanted{"copy in", "compute", "compute, row 2", "copy out"};
  BOOST_TEST(engines == wanted, boost::test_tools::per_element());
  const std::vector<std::string> wanted_lanes{"lane 0", "lane 1"};
  BOOST_TEST(lanes == wanted_lanes, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(records_go_to_the_pass_in_which_their_call_began) {
  std::vector<TracedPass> passes(2);
  passes[0].begin_us = 0, passes[0].end_us = 10, passes[0].event_us = 7;
  passes[1].begin_us = 20, passes[1].end_us = 30, passes[1].event_us = 6;
  TraceRecords records;
  records.calls = {call(3, 25, 26), call(1, 1, 2), call(2, 12, 13)};
  records.operations = {operation(kernel, 28, 29, 0, 3), operation(kernel, 27, 28, 0, 3),
                        operation(kernel, 5, 6, 0, 1), operation(kernel, 14, 15, 0, 2)};
  records.calls.push_back(call(4, 21, 22));
  records.calls.back().label.chunk = Label::marker;
  records.operations.push_back(operation(Activity::memset, 29, 30, 0, 4));
  records.operations.back().label.chunk = Label::marker;
  distribute(std::move(records), passes);
  BOOST_TEST(passes[0].records.calls.size() == 1u);
  BOOST_TEST(passes[0].records.operations.size() == 1u);
  BOOST_TEST_REQUIRE(passes[1].records.operations.size() == 2u);
  BOOST_TEST(passes[1].records.operations[0].start_us == 27);
  BOOST_TEST(passes[0].markers.empty());
  BOOST_TEST_REQUIRE(passes[1].markers.size() == 1u);
  BOOST_TEST(passes[1].markers[0].start_us == 29);
  BOOST_TEST(passes[1].records.calls.size() == 1u);  // without the marker's
  BOOST_TEST(passes[1].begin_us == 25);
  const VariantTrace trace{"kernel", passes, 0};
  BOOST_TEST(trace.shown().event_us == 6);  // the lower of two
}

BOOST_AUTO_TEST_CASE(the_wait_for_a_pass_is_without_what_it_waited_for_the_marker) {
  const auto waited_until = [](double wait_start, double wait_end) {
    std::vector<TracedPass> passes(1);
    passes[0].end_us = 100;
    TraceRecords records;
    records.calls = {call(1, 1, 2), call(2, 3, 4), call(3, wait_start, wait_end)};
    records.calls[1].label = marker_label;
    records.operations = {operation(kernel, 5, 20, 0, 1),
                          operation(Activity::memset, 21, 38, 0, 2)};
    records.operations[1].label = marker_label;
    distribute(std::move(records), passes);
    BOOST_TEST(passes[0].records.calls.size() == 2u);
    BOOST_TEST(passes[0].records.calls[0].end_us == 2);
    return passes[0].records.calls.back().end_us;
  };
  BOOST_TEST(waited_until(6, 41) == 23);   // 3 us after the pass, as after the marker
  BOOST_TEST(waited_until(25, 41) == 28);  // the pass had ended before the wait began
  BOOST_TEST(waited_until(39, 41) == 41);  // the marker, too
  BOOST_TEST(waited_until(6, 19) == 19);   // it was for something else
}

BOOST_AUTO_TEST_CASE(a_timeline_has_the_times_of_all_passes_and_refuses_what_is_not_whole) {
  std::vector<Count> planned{{"copies", 4}, {"memsets", 0}, {"kernels", 2}};
  const Timeline timeline =
      timeline_of({"streams", {two_lanes(), two_lanes()}, -2, {51, 53}}, planned);
  BOOST_TEST(timeline.untraced_us.value().back() == 53);
  BOOST_TEST(timeline.event_us.size() == 2u);
  BOOST_TEST(timeline.before_us[1] == 5);
  BOOST_TEST(timeline.span_us[1] == 50);
  BOOST_TEST(timeline.after_us[1] == 4);
  BOOST_TEST(timeline.overlap.size() == 9u);
  BOOST_TEST(timeline.busy[0].share == 0.4);
  const auto refused = [&](auto spoil) {
    TracedPass pass = two_lanes();
    spoil(pass);
    BOOST_CHECK_THROW(timeline_of({"streams", {two_lanes(), pass}, -2}, planned),
                      std::runtime_error);
  };
  refused([](TracedPass& pass) { pass.records.operations.pop_back(); });
  refused([](TracedPass& pass) { pass.records.lost = 1; });
  refused([](TracedPass& pass) { pass.markers.pop_back(); });
  planned[2].value = 3;
  BOOST_CHECK_THROW(timeline_of({"streams", {two_lanes()}, -2}, planned), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(what_is_planned_follows_from_the_model) {
  const Workload launch = presets().front();  // 64 chunks of 4 kernels
  Plan plan = coalesced_plan(launch);
  std::vector<Count> wanted{{"copies", 2}, {"memsets", 1}, {"kernels", 256}};
  BOOST_TEST((planned_operations(plan, launch) == wanted));
  plan = updated_plan(launch);  // whose calls and nodes are as many each
  wanted = {{"copies", 128}, {"memsets", 64}, {"kernels", 256}};
  BOOST_TEST((planned_operations(plan, launch) == wanted));
}

BOOST_AUTO_TEST_SUITE_END()
