// Which bound holds for which variant, by figures that are made up.
#include "common/analysis/limits/bounds.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/results/made_up.hpp"

using namespace trilane;

namespace {

const auto tight = boost::unit_test::tolerance(1e-9);

/// On the launch preset: 64 chunks on 4 lanes, 4 kernels each, 448 operations, 256 KiB each way.
Comparison comparison_of(Measurement m) {
  Comparison comparison = made_up_comparison({std::move(m)}, "");
  Limit limit{.clear_us = 1, .kernels_us = 80, .steady_work_us = 8.1, .bound_us = 700};
  limit.serial_us = 5000;
  limit.bound_by = Limiter::sms;
  limit.one_engine_us = 800;
  limit.copy_engines = 3;
  limit.calls_us = {{"cudaMemcpyAsync", 2}, {"cudaLaunchKernel", 3}, {"cudaEventRecord", 0.5}};
  limit.copies_in = CopyCost{10, 1200};  // of a quarter of a MiB: 310 us
  limit.copies_out = CopyCost{20, 800};  // 220 us
  comparison.limit = limit;
  return comparison;
}

/// Issued by the host: 128 copies, 64 memsets, 256 kernels.
Measurement lanes() {
  Measurement m = made_up("streams", 10, 1000);
  m.plan.calls = {{"cudaMemcpyAsync", 128}, {"cudaMemsetAsync", 64}, {"cudaLaunchKernel", 256}};
  return m;
}

/// One launch of a graph, submitted in 9.95 us at least.
Measurement graph(Mover mover, Chaining chaining = Chaining::data_edges) {
  Measurement m = made_up("graph", 10, 1000);
  m.plan.calls = {{"cudaGraphLaunch", 1}};
  m.plan.model = {Issuer::graph, chaining, ScratchSource::lane, mover};
  return m;
}

void test_bound(const Comparison& comparison, double us, const std::string& by) {
  const auto bound = bound_of(comparison, comparison.measurements.at(0));
  BOOST_REQUIRE(bound);
  BOOST_TEST(bound->us == us, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(name_of(bound->by) == by);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bounds)

BOOST_AUTO_TEST_CASE(the_host_needs_what_its_calls_cost, *tight) {
  Comparison comparison = comparison_of(lanes());
  Measurement& m = comparison.measurements[0];
  BOOST_TEST(host_us(*comparison.limit, m).value() == 2 * 128 + 3 * 256);  // memsets are not known
  m.plan.model.chaining = Chaining::data_edges;                            // no lanes
  test_bound(comparison, 1024, "host submission");
  m.plan.host_threads = 4;
  BOOST_TEST(host_us(*comparison.limit, m).value() == 256);
  test_bound(comparison, 700, "SMs");
  comparison.limit->calls_us.reset();  // an older file
  BOOST_TEST(!host_us(*comparison.limit, m));
}

BOOST_AUTO_TEST_CASE(a_graph_costs_what_its_own_launch_does_unless_that_waits, *tight) {
  Comparison comparison = comparison_of(graph(Mover::engines_per_chunk));
  Measurement& m = comparison.measurements[0];
  BOOST_TEST(host_us(*comparison.limit, m).value() == 9.95);
  comparison.limit->bound_us = 9;
  test_bound(comparison, 9.95, "host submission");
  m.plan.blocks = true;
  BOOST_TEST(!host_us(*comparison.limit, m));
}

BOOST_AUTO_TEST_CASE(chunks_that_overlap_are_bound_by_what_is_busiest) {
  Comparison comparison = comparison_of(graph(Mover::engines_per_chunk));
  test_bound(comparison, 700, "SMs");  // 20 us a kernel
  find_bounds(comparison);
  BOOST_TEST(name_of(*comparison.limit->bound_by) == "SMs");
  comparison.limit->kernels_us = 39;
  find_bounds(comparison);
  test_bound(comparison, 700, "kernel launches");
  BOOST_TEST(name_of(*comparison.limit->bound_by) == "kernel launches");
  comparison.limit->bound_by = Limiter::copy_out;
  find_bounds(comparison);
  test_bound(comparison, 700, "copy out");
  comparison.limit->copy_engines = 1;
  test_bound(comparison, 800, "the one copy engine");
  comparison.limit->bound_by.reset();  // an older file
  comparison.limit->one_engine_us.reset();
  test_bound(comparison, 700, "overlap");
}

BOOST_AUTO_TEST_CASE(operations_of_one_stream_take_turns) {
  Comparison comparison = comparison_of(lanes());
  Model& model = comparison.measurements[0].plan.model;
  model.chaining = Chaining::one_stream;
  test_bound(comparison, 5000, "taking turns");
  model.chaining = Chaining::lanes;
  test_bound(comparison, 16 * 5000 / 64., "a lane's stages");
}

BOOST_AUTO_TEST_CASE(chunks_of_a_lane_take_turns) {
  Comparison comparison = comparison_of(graph(Mover::engines_per_chunk, Chaining::lanes));
  const auto on_lanes = [&](std::uint32_t lanes) { comparison.workload.lanes = lanes; };
  on_lanes(4);
  test_bound(comparison, 16 * 5000 / 64., "a lane's stages");
  on_lanes(10);  // the first has 7 of them
  comparison.limit->bound_us = 540;
  test_bound(comparison, 7 * 5000 / 64., "a lane's stages");
  on_lanes(1);
  test_bound(comparison, 5000, "a lane's stages");
  comparison.measurements[0].plan.model.chaining = Chaining::data_edges;
  test_bound(comparison, 540, "SMs");
}

BOOST_AUTO_TEST_CASE(kernels_of_one_stream_take_turns) {
  Comparison comparison = comparison_of(lanes());
  comparison.measurements[0].plan.model.chaining = Chaining::engines;
  comparison.limit->copy_in_us = 7;
  comparison.limit->copy_out_us = 5;
  test_bound(comparison, 7 + 64 * 81 - 1 + 5, "kernels in turn");  // a memset beside a copy in
  comparison.limit->bound_us = 6000;
  test_bound(comparison, 6000, "SMs");
  comparison.limit->bound_us = 540;
  comparison.limit->kernels_us = 39;  // short ones
  test_bound(comparison, 1024, "host submission");
}

BOOST_AUTO_TEST_CASE(copies_in_one_piece_overlap_with_nothing) {
  Comparison comparison = comparison_of(graph(Mover::engines_per_pass));
  comparison.workload.bytes = comparison.workload.chunk_bytes;  // a single chunk
  test_bound(comparison, 700, "SMs");
  comparison = comparison_of(graph(Mover::engines_per_pass));
  test_bound(comparison, 310 + 64 * 8 + 220, "copies in turn");
  comparison.limit->kernels_us = 39;  // short: they count for nothing
  test_bound(comparison, 310 + 220, "copies in turn");
  comparison.limit->copies_in.reset();
  test_bound(comparison, 9.95, "host submission");
}

BOOST_AUTO_TEST_CASE(who_moves_bytes_with_kernels_is_not_bound_by_copy_engines) {
  Comparison comparison = comparison_of(graph(Mover::kernels));
  test_bound(comparison, 64 * 8, "SMs");
  comparison.limit->kernels_us = 39;
  test_bound(comparison, 300, "link");
  comparison.limit->copies_out = CopyCost{20, 2000};
  test_bound(comparison, 500, "link");
  comparison.limit->copies_out.reset();
  test_bound(comparison, 9.95, "host submission");
}

BOOST_AUTO_TEST_CASE(efficiency_is_the_share_of_the_wall_time, *tight) {
  Comparison comparison = comparison_of(graph(Mover::engines_per_chunk));
  Measurement& m = comparison.measurements[0];
  find_bounds(comparison);
  BOOST_TEST(m.bound_us.value() == 700);
  BOOST_TEST(name_of(*m.bound_by) == "SMs");
  BOOST_TEST(m.efficiency.value() == 0.7);
  m.status = Status::failed;
  find_bounds(comparison);
  BOOST_TEST((!m.bound_us && !m.bound_by && !m.efficiency));
  m.status = Status::ok;
  comparison.limit.reset();
  find_bounds(comparison);
  BOOST_TEST(!m.bound_us);
}

BOOST_AUTO_TEST_SUITE_END()
