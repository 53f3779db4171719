// Loads and bounds by execution model, with fake figures.
#include "common/explain/analysis/verdict/loads.hpp"

#include "common/explain/analysis/verdict/pipelined.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(bounds)

const auto tight = boost::unit_test::tolerance(1e-9);

/// Returns eight chunks on two lanes, one kernel each: 20 us alone, 12 when shared, in a graph 15
/// and 10, of which 9 without the memset. Copies take 10 us in and 7 out.
Shape shape() {
  return {.times = {.copy_in_us = 10,
                    .clear_us = 1,
                    .kernels_us = 20,
                    .copy_out_us = 7,
                    .one_way_in_us = 10,
                    .one_way_out_us = 7,
                    .steady_in_us = 11,
                    .steady_work_us = 12,
                    .steady_out_us = 8,
                    .graph_kernels_us = 15,
                    .graph_work_us = 10,
                    .graph_steady_kernels_us = 9},
          .chunks = 8,
          .lanes = 2,
          .whole = WholePass{.copy_in_us = 70,
                             .copy_out_us = 50,
                             .link_in_us = 64,
                             .link_out_us = 48,
                             .arithmetic_us = 30}};
}

constexpr Model streams = multi_stream;

Model with(Issuer issuer, Chaining chaining, Mover mover) {
  return {issuer, chaining, ScratchSource::lane, mover};
}

const Load* find(const std::vector<Load>& loads, Limiter by) {
  const auto found = std::ranges::find(loads, by, &Load::by);
  return found == loads.end() ? nullptr : &*found;
}

void test_load(const Shape& shape, const Model& model, Limiter by, double us, double bound_us) {
  const std::vector<Load> loads = device_loads(shape, model);
  const Load* const load = find(loads, by);
  BOOST_TEST_REQUIRE(load, "no load: " << name_of(by));
  BOOST_TEST(load->us == us, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(load->bound_us == bound_us, boost::test_tools::tolerance(1e-9));
}

bool has(const Shape& shape, const Model& model, Limiter by) {
  return find(device_loads(shape, model), by) != nullptr;
}

BOOST_AUTO_TEST_CASE(chunks_on_lanes_need_engines_SMs_and_their_turn) {
  test_load(shape(), streams, Limiter::one_chunk, 38, 38);
  test_load(shape(), streams, Limiter::sms, 8 * 12, 8 * 10 + 17);  // less than 21 + 7 * 10
  test_load(shape(), streams, Limiter::lane_stages, 4 * 38, 4 * 38);
  Shape lanes = shape();
  lanes.lanes = 8;
  BOOST_TEST(!has(lanes, streams, Limiter::lane_stages));
  lanes.lanes = 3;  // the first has three
  test_load(lanes, streams, Limiter::lane_stages, 3 * 38, 3 * 38);
  BOOST_TEST(!has(shape(), streams, Limiter::one_copy_engine));
  lanes.one_copy_engine = true;
  test_load(lanes, streams, Limiter::one_copy_engine, 8 * 17, 8 * 17 + 21);
}

BOOST_AUTO_TEST_CASE(a_graph_has_times_of_its_own) {
  const Model graph = with(Issuer::graph, Chaining::lanes, Mover::engines_per_chunk);
  test_load(shape(), graph, Limiter::one_chunk, 33, 33);
  test_load(shape(), graph, Limiter::sms, 80, 80 + 17);
  test_load(shape(), graph, Limiter::lane_stages, 4 * 33, 4 * 33);
}

BOOST_AUTO_TEST_CASE(kernels_that_start_early_are_bounded_by_their_arithmetic) {
  const Model early = with(Issuer::graph, Chaining::lanes_early, Mover::engines_per_chunk);
  const double chunk = 10 + 1 + 30 / 8. + 7;
  test_load(shape(), early, Limiter::one_chunk, 33, chunk);
  test_load(shape(), early, Limiter::sms, 80, 30 + 17);
  test_load(shape(), early, Limiter::lane_stages, 4 * 33, 4 * chunk);
  Shape quick = shape();  // kernels never count more than they took
  quick.whole.arithmetic_us = 300;
  test_load(quick, early, Limiter::one_chunk, 33, 33);
}

BOOST_AUTO_TEST_CASE(longer_kernels_share_the_SMs_as_well_as_was_seen_anywhere) {
  const Model graph = with(Issuer::graph, Chaining::lanes, Mover::engines_per_chunk);
  Shape slow = shape();
  slow.times.graph_work_us = 13;
  test_load(slow, graph, Limiter::sms, 8 * 13, 8 * 12 + 17);
  test_load(slow, streams, Limiter::sms, 8 * 12, 8 * 12 + 17);
  slow.times.graph_work_us = 0;  // an older file
  test_load(slow, streams, Limiter::sms, 8 * 12, 8 * 12 + 17);
  slow.depth = 3;  // short kernels
  slow.times.graph_work_us = 13;
  test_load(slow, graph, Limiter::kernel_launches, 8 * 13, 8 * 13 + 17);
  test_load(slow, streams, Limiter::kernel_launches, 8 * 12, 8 * 12 + 17);
}

BOOST_AUTO_TEST_CASE(short_kernels_are_launches) {
  Shape brief = shape();
  brief.depth = 3;
  BOOST_TEST((has(brief, streams, Limiter::kernel_launches) && !has(brief, streams, Limiter::sms)));
  brief.depth = 2;  // 10 us each
  BOOST_TEST((!has(brief, streams, Limiter::kernel_launches) && has(brief, streams, Limiter::sms)));
}

BOOST_AUTO_TEST_CASE(kernels_that_crowd_their_results_count_two_thirds_in_bounds) {
  Shape crowded = shape();
  crowded.crowded = true;
  crowded.times.kernels_us = 30;
  crowded.times.steady_work_us = 18;
  crowded.times.graph_work_us = 15;
  test_load(crowded, streams, Limiter::one_chunk, 48, 38);
  test_load(crowded, streams, Limiter::sms, 8 * 18, 8 * 10 + 17);
  test_load(crowded, streams, Limiter::lane_stages, 4 * 48, 4 * 38);
}

BOOST_AUTO_TEST_CASE(few_results_of_many_additions_are_crowded) {
  Workload workload;
  workload.chunk_bytes = 1 << 20;
  workload.result_bytes = 4092;
  BOOST_TEST(crowds_results(workload));
  workload.result_bytes = 4096;
  BOOST_TEST(!crowds_results(workload));
  workload.result_bytes = 1024;
  workload.chunk_bytes = 64 * 1024;
  BOOST_TEST(crowds_results(workload));
  workload.chunk_bytes = 63 * 1024;
  BOOST_TEST(!crowds_results(workload));
}

BOOST_AUTO_TEST_CASE(a_short_last_chunk_counts_where_it_is) {
  Shape uneven = shape();
  uneven.chunks = 8.5;  // the ninth is on the first lane
  test_load(uneven, streams, Limiter::lane_stages, 4.5 * 38, 4.5 * 38);
  test_load(uneven, streams, Limiter::sms, 96, 80 + 17);  // beside the others
  uneven.chunks = 7.5;                                    // the eighth is on the second
  test_load(uneven, streams, Limiter::lane_stages, 4 * 38, 4 * 38);
}

BOOST_AUTO_TEST_CASE(edges_that_follow_the_data_let_a_lane_copy_both_ways_at_once) {
  const Model built = with(Issuer::graph, Chaining::data_edges, Mover::engines_per_chunk);
  // Between two kernels of a lane: a copy in, or a copy out and a memset.
  test_load(shape(), built, Limiter::lane_stages, 10 + 4 * 15 + 3 * 10 + 7,
            10 + 4 * 15 + 3 * 10 + 7);
  Shape slow_out = shape();
  slow_out.times.copy_out_us = 12;
  test_load(slow_out, built, Limiter::lane_stages, 10 + 4 * 15 + 3 * 13 + 12,
            10 + 4 * 15 + 3 * 13 + 12);
  test_load(shape(), built, Limiter::one_chunk, 32, 32);  // the memset beside the copy in
  test_load(shape(), built, Limiter::sms, 78, 78 + 17);   // as is that of the second lane
  Shape uneven = shape();
  uneven.chunks = 8.5;
  test_load(uneven, built, Limiter::lane_stages, 10 + 4 * 15 + 3 * 10 + 16,
            10 + 4 * 15 + 3 * 10 + 16);
}

BOOST_AUTO_TEST_CASE(kernels_of_one_stream_take_turns) {
  const Model engines = with(Issuer::host, Chaining::engines, Mover::engines_per_chunk);
  const double in_turn = 8 * 21 - 2;
  test_load(shape(), engines, Limiter::kernels_in_turn, in_turn, 10 + in_turn + 7);
  Shape uneven = shape();
  uneven.chunks = 8.5;  // whose copy out is half as long, as far as known
  test_load(uneven, engines, Limiter::kernels_in_turn, in_turn, 10 + in_turn + 3.5);
  BOOST_TEST(!has(shape(), streams, Limiter::kernels_in_turn));
}

BOOST_AUTO_TEST_CASE(operations_of_one_stream_take_turns) {
  const Model serial = with(Issuer::host_waiting, Chaining::one_stream, Mover::engines_per_chunk);
  test_load(shape(), serial, Limiter::taking_turns, 8 * 38, 8 * 38);
}

BOOST_AUTO_TEST_CASE(copies_in_one_piece_overlap_with_nothing) {
  const Model coalesced = with(Issuer::graph, Chaining::lanes, Mover::engines_per_pass);
  test_load(shape(), coalesced, Limiter::copies_in_turn, 70 + 72 + 50, 70 + 30 + 50);
  test_load(shape(), coalesced, Limiter::sms, 72, 30);
  Shape few_lanes = shape();
  few_lanes.lanes = 1;
  test_load(few_lanes, coalesced, Limiter::sms, 8 * 15, 30);
  Shape one = shape();
  one.chunks = 1;
  test_load(one, coalesced, Limiter::copies_in_turn, 70 + 15 + 50, 70 + 30 + 50);
}

BOOST_AUTO_TEST_CASE(copies_in_batches_are_bound_by_the_link) {
  const Model batch = with(Issuer::graph, Chaining::lanes, Mover::engines_batched);
  test_load(shape(), batch, Limiter::copies_in_turn, 70 + 72 + 50, 64 + 30 + 48);
  test_load(shape(), batch, Limiter::copy_in, 70, 64);
  test_load(shape(), batch, Limiter::copy_out, 50, 48);
  test_load(shape(), batch, Limiter::sms, 72, 30);
}

BOOST_AUTO_TEST_CASE(kernels_that_move_bytes_need_the_link_and_the_sms) {
  const Model kernels = with(Issuer::graph, Chaining::lanes, Mover::kernels);
  test_load(shape(), kernels, Limiter::link, 64, 64);
  test_load(shape(), kernels, Limiter::sms, 72, 30);
  Shape unknown = shape();
  unknown.whole = {};
  test_load(unknown, kernels, Limiter::link, 0, 0);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_does_all_stages_needs_their_arithmetic) {
  const Model per_chunk = with(Issuer::graph, Chaining::lanes, Mover::fused_per_chunk);
  const Model per_pass = with(Issuer::host, Chaining::one_stream, Mover::fused_per_pass);
  test_load(shape(), per_chunk, Limiter::sms, 30, 30);
  test_load(shape(), per_pass, Limiter::sms, 30, 30);
  test_load(shape(), per_pass, Limiter::link, 64, 64);
}

BOOST_AUTO_TEST_CASE(copies_both_ways_slow_each_other_down_while_they_overlap, *tight) {
  ChunkTimes times{.copy_in_us = 10,
                   .copy_out_us = 10,
                   .one_way_in_us = 10,
                   .one_way_out_us = 10,
                   .steady_in_us = 12,
                   .steady_out_us = 12};
  // Two chunks need not overlap: 20 in, then 10 out.
  Overlap overlap = overlap_of(times, {.alone_us = 5}, 2);
  BOOST_TEST(overlap.copies_in.us == 20 + (20. - 15) / (1 - 1 / 6.) / 6);
  BOOST_TEST(overlap.copies_in.bound_us == overlap.copies_in.us + 15);
  // With very many, almost all overlap.
  overlap = overlap_of(times, {.alone_us = 5}, 1e6);
  BOOST_TEST(overlap.copies_in.us == 12e6, boost::test_tools::tolerance(1e-4));
  // Simultaneous copies in both directions that gain nothing over taking turns are not believed.
  times.steady_in_us = times.steady_out_us = 21;
  overlap = overlap_of(times, {.alone_us = 5}, 2);
  BOOST_TEST(overlap.copies_in.bound_us == 20 + 15);
}

BOOST_AUTO_TEST_CASE(copies_that_fill_the_link_only_together_take_as_long_as_one_at_least, *tight) {
  const ChunkTimes times{.copy_in_us = 10, .copy_out_us = 10, .one_way_in_us = 4};
  BOOST_TEST(overlap_of(times, {.alone_us = 5}, 2).copies_in.us == 10);
  BOOST_TEST(overlap_of(times, {.alone_us = 5}, 3).copies_in.us == 12);
}

BOOST_AUTO_TEST_CASE(a_short_last_chunk_has_its_share_of_what_comes_before_and_after, *tight) {
  const ChunkTimes times{.copy_in_us = 10,
                         .copy_out_us = 10,
                         .one_way_in_us = 10,
                         .one_way_out_us = 10,
                         .steady_in_us = 10,
                         .steady_out_us = 10};
  const Busy little = overlap_of(times, {.alone_us = 5}, 2.5).copies_in;
  BOOST_TEST(little.us == 25);
  BOOST_TEST(little.bound_us == 20 + 15);  // two full chunks take longer than 25 + 7.5
  const Busy much = overlap_of(times, {.alone_us = 5}, 2.9).copies_in;
  BOOST_TEST(much.us == 29);
  BOOST_TEST(much.bound_us == 29 + 13.5);
}

BOOST_AUTO_TEST_CASE(the_host_needs_what_its_calls_cost_and_no_more_than_it_took, *tight) {
  const Limit limit{.calls_us = {{{"cudaMemcpyAsync", 2}, {"cudaLaunchKernel", 3}}}};
  Comparison comparison = made_up_comparison({made_up("streams", 2000, 3000)}, "");
  Measurement& m = comparison.measurements[0];
  m.plan.calls = {{"cudaMemcpyAsync", 128}, {"cudaMemsetAsync", 64}, {"cudaLaunchKernel", 256}};
  BOOST_TEST(host_us(limit, m).value() == 2 * 128 + 3 * 256);  // memsets are unknown
  m.plan.blocks = true;
  BOOST_TEST(host_us(limit, m).value() == 1024);
  m.plan.host_threads = 4;
  BOOST_TEST(host_us(limit, m).value() == 256);
  m.submit->min = 99;
  BOOST_TEST(host_us(limit, m).value() == 99);
  BOOST_TEST(!host_us(Limit{}, m));  // an older file
  m.plan.model.issuer = Issuer::graph;
  BOOST_TEST(!host_us(limit, m));
  m.plan.blocks = false;
  BOOST_TEST(host_us(limit, m).value() == 99);
}

BOOST_AUTO_TEST_CASE(efficiency_is_the_share_of_the_highest_bound, *tight) {
  Comparison comparison = made_up_comparison({made_up("streams", 180, 200)}, "");
  comparison.workload.bytes = 8 * comparison.workload.chunk_bytes;
  comparison.workload.lanes = 2;
  comparison.workload.depth = 1;
  comparison.limit = Limit{};
  set_times(*comparison.limit, shape().times);
  Measurement& m = comparison.measurements[0];
  find_bounds(comparison);
  BOOST_TEST(m.bound_us.value() == 4 * 38);
  BOOST_TEST(name_of(*m.bound_by) == "a lane's stages");
  BOOST_TEST(m.efficiency.value() == 0.76);
  comparison.limit->calls_us = {{"cudaMemcpyAsync", 1.25}};  // 128 of them by the plan
  find_bounds(comparison);
  BOOST_TEST(m.bound_us.value() == 160);
  BOOST_TEST(name_of(*m.bound_by) == "host submission");
  BOOST_TEST(!m.bound_by_rates_us);
  m.wall->min = 155;  // a pass that the rates rule out
  find_bounds(comparison);
  BOOST_TEST(m.bound_us.value() == 155);
  BOOST_TEST(m.bound_by_rates_us.value() == 160);
  BOOST_TEST(m.efficiency.value() == 155.0 / 200);
  comparison.limit->calls_us = {{"cudaMemcpyAsync", 0.5}};
  find_bounds(comparison);
  BOOST_TEST(!m.bound_by_rates_us);
  m.status = Status::failed;
  find_bounds(comparison);
  BOOST_TEST((!m.bound_us && !m.bound_by && !m.efficiency));
  m.status = Status::ok;
  comparison.limit.reset();
  find_bounds(comparison);
  BOOST_TEST(!m.bound_us);
}

BOOST_AUTO_TEST_CASE(only_short_kernels_that_set_the_limit_are_called_launches) {
  Comparison comparison = made_up_comparison({made_up("streams", 180, 200)}, "");
  comparison.workload.depth = 2;
  const auto named = [&](Limiter by, double kernels_us) {
    comparison.limit = Limit{.kernels_us = kernels_us, .bound_by = by};
    find_bounds(comparison);
    return name_of(comparison.limit->bound_by.value());
  };
  BOOST_TEST(named(Limiter::sms, 19) == "kernel launches");
  BOOST_TEST(named(Limiter::sms, 20) == "SMs");
  BOOST_TEST(named(Limiter::copy_in, 19) == "copy in");
}

BOOST_AUTO_TEST_CASE(a_limit_keeps_its_times, *tight) {
  Limit limit;
  set_times(limit, shape().times);
  const ChunkTimes times = times_of(limit);
  BOOST_TEST(times.graph_steady_kernels_us == 9);
  ChunkTimes other = times;
  other.graph_work_us = 1;
  other.copy_in_us = 11;
  BOOST_TEST(shorter(times, other).graph_work_us == 1);
  BOOST_TEST(shorter(times, other).copy_in_us == 10);
}

BOOST_AUTO_TEST_SUITE_END()
