// What limits a variant, by figures that are made up, and what to try next.
#include "common/analysis/limits/limitation.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/results/made_up.hpp"

using namespace trilane;

namespace {

/// On the launch preset, 64 chunks: per chunk 1 us of copies each way and 2 us of kernels.
Comparison comparison_of(Measurement m) {
  Comparison comparison = made_up_comparison({std::move(m)}, "");
  comparison.limit = Limit{.in_gbps = 4,
                           .out_gbps = 5,
                           .duplex_in_gbps = 3,
                           .duplex_out_gbps = 3.5,
                           .copy_in_us = 1,
                           .clear_us = 1,
                           .kernels_us = 80,
                           .copy_out_us = 1,
                           .steady_in_us = 1,
                           .steady_work_us = 2,
                           .steady_out_us = 1,
                           .bound_us = 130};
  return comparison;
}

Limitation found(const Comparison& comparison) {
  return limitation_of(comparison, comparison.measurements[0]);
}

std::string words(std::optional<Limiter> by) { return by ? name_of(*by) : ""; }

/// A measurement of a recorded graph on lanes.
Measurement graph(double submit_us, double wall_us, Mover mover) {
  Measurement m = made_up("graph", submit_us, wall_us);
  m.plan.calls = {{"cudaGraphLaunch", 1}};
  m.plan.model.issuer = Issuer::graph;
  m.plan.model.mover = mover;
  return m;
}

/// One kernel for all chunks.
Measurement one_kernel(double submit_us, double wall_us) {
  Measurement m = made_up("fused", submit_us, wall_us);
  m.plan.calls = {{"cudaLaunchKernel", 1}};
  m.plan.model = {Issuer::host, Chaining::one_stream, ScratchSource::none, Mover::fused_per_pass};
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limitation)

BOOST_AUTO_TEST_CASE(the_host_limits_what_it_submits_all_the_time) {
  Comparison comparison = comparison_of(made_up("streams", 990, 1000));
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.share.value() == 0.99, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit.figures == "submitting 128 runtime calls takes the host 990 of its 1000 us");
  BOOST_TEST(limit.next == "a graph, which is one call a pass");
  comparison.measurements.push_back(graph(200, 1100, Mover::engines_per_chunk));
  summarise(comparison);
  BOOST_TEST(found(comparison).next.starts_with("fewer and wider chunks"));
}

BOOST_AUTO_TEST_CASE(a_graph_with_copies_has_a_way_out_that_one_of_kernels_has_taken) {
  Limitation limit = found(comparison_of(graph(300, 400, Mover::engines_per_chunk)));
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.figures == "submitting one graph of 448 nodes takes the host 300 of its 400 us");
  BOOST_TEST(limit.next.starts_with("a graph of kernels only"));
  limit = found(comparison_of(graph(300, 400, Mover::kernels)));
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.next.starts_with("fewer and wider chunks"));
}

BOOST_AUTO_TEST_CASE(who_has_but_one_launch_is_not_sent_to_fewer) {
  const Limitation limit = found(comparison_of(one_kernel(9, 10)));
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.figures == "submitting 1 runtime call takes the host 9.00 of its 10.0 us");
  BOOST_TEST(limit.next.starts_with("larger passes"));
}

BOOST_AUTO_TEST_CASE(engines_limit_what_keeps_them_busy) {
  Comparison comparison = comparison_of(made_up("streams", 10, 140));
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(limit.figures == "memsets and kernels take 128 of its 140 us");
  BOOST_TEST(
      limit.next.starts_with("another number of lanes or chunks: full overlap would save 10.0 us"));
  comparison.limit->bound_us = 135;  // 7 us for the first and the last, 5 in between
  BOOST_TEST(found(comparison).next ==
             "smaller chunks: the first and the last overlap with nothing for 7.00 us");
  comparison.limit->steady_work_us = 2.1;
  BOOST_TEST(found(comparison).next.starts_with("the kernel itself"));
}

BOOST_AUTO_TEST_CASE(copies_limit_where_they_take_longest) {
  Comparison comparison = comparison_of(made_up("streams", 10, 1400));
  comparison.limit->kernels_us = 40;
  comparison.limit->steady_out_us = 20.5;
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "copy out");
  BOOST_TEST(limit.figures ==
             "copies out take 1312 of its 1400 us, at 3.5 GB/s with both directions in use");
  comparison.limit->bound_us = 1390;
  BOOST_TEST(found(comparison).next.starts_with("smaller chunks"));
  comparison.limit->steady_out_us = 21.5;
  BOOST_TEST(found(comparison).next.starts_with("fewer bytes"));
  comparison.limit->steady_out_us = 22;  // within what one measurement differs from another by
  BOOST_TEST(found(comparison).figures.starts_with("copies out take all of its 1400 us"));
  comparison.limit->steady_out_us = 1;
  comparison.limit->steady_in_us = 9;
  comparison.measurements = {made_up("streams", 10, 600)};
  summarise(comparison);
  limit = found(comparison);
  BOOST_TEST(words(limit.by) == "copy in");
  BOOST_TEST(limit.next.starts_with("wider chunks: a copy takes 9.00 us"));
}

BOOST_AUTO_TEST_CASE(few_lanes_limit_what_would_overlap) {
  Comparison comparison = comparison_of(made_up("streams", 700, 1400));  // 83 us a chunk
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "a lane's stages");
  BOOST_TEST(limit.figures == "one after the other they take 1328 of its 1400 us");
  BOOST_TEST(limit.next.starts_with("more lanes"));
  comparison.workload.bytes -= comparison.workload.chunk_bytes;  // one lane has 16 chunks still
  BOOST_TEST(found(comparison).figures.find("take 1328") != std::string::npos);
  comparison.measurements.push_back(graph(2, 100, Mover::kernels));  // which has no lanes
  summarise(comparison);
  BOOST_TEST(words(found(comparison).by) == "a lane's stages");
  comparison.measurements = {made_up("streams", 10, 100)};
  summarise(comparison);
  comparison.workload.bytes = 4 * comparison.workload.chunk_bytes;  // each lane has one
  BOOST_TEST(words(found(comparison).by) == "waiting");
}

BOOST_AUTO_TEST_CASE(one_stream_for_all_kernels_limits_those_that_could_share_the_SMs) {
  Measurement engines = made_up("engines", 10, 6000);
  engines.plan.model.chaining = Chaining::engines;
  Comparison comparison = comparison_of(engines);
  comparison.measurements.push_back(made_up("streams", 10, 1400));  // on lanes: 2 us a chunk
  summarise(comparison);
  const Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "kernels in turn");
  BOOST_TEST(limit.figures ==
             "memsets and kernels, one after the other on one stream, take 5183 of its 6000 us");
  BOOST_TEST(limit.next.starts_with("a stream per lane"));
  comparison.limit->kernels_us = 79;  // 80 us a chunk are 5119 in all
  BOOST_TEST(words(found(comparison).by) == "kernels in turn");
  comparison.workload.depth = 8;  // short ones
  BOOST_TEST(words(found(comparison).by) == "waiting");
}

BOOST_AUTO_TEST_CASE(short_kernels_are_launches_not_work) {
  Comparison comparison = comparison_of(made_up("streams", 10, 140));
  comparison.limit->kernels_us = 39;  // 9.75 us each, at depth 4
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "kernel launches");
  BOOST_TEST(limit.figures == "memsets and kernels take 128 of its 140 us, started one by one");
  BOOST_TEST(limit.next.starts_with("fewer and longer kernels"));
  BOOST_TEST(limit.next.find("one takes 9.75 us") != std::string::npos);
  limit = found(comparison_of(graph(2, 9, Mover::engines_per_pass)));
  BOOST_TEST(words(limit.by) == "waiting");  // 20 us each
  comparison.measurements = {graph(2, 119, Mover::engines_per_pass)};
  summarise(comparison);
  limit = found(comparison);
  BOOST_TEST(words(limit.by) == "kernel launches");
  BOOST_TEST(!limit.share);
  BOOST_TEST(
      limit.figures ==
      "of its 119 us host submission takes 2.00, and each of its 256 kernels 9.75 by itself");
  BOOST_TEST(limit.next.starts_with("fewer and longer kernels"));
  comparison.limit->copy_in_us = 10;  // 64 of these are worth more than a word
  BOOST_TEST(words(found(comparison).by) == "copy in");
}

BOOST_AUTO_TEST_CASE(what_a_measured_variant_beats_is_no_limit) {
  Comparison comparison = comparison_of(made_up("streams", 10, 140));
  const auto beside = [&](Measurement other) {
    comparison.measurements = {made_up("streams", 10, 140), std::move(other)};
    summarise(comparison);
    return words(found(comparison).by);
  };
  BOOST_TEST(beside(graph(2, 122, Mover::kernels)) == "SMs");  // within what measurements differ by
  BOOST_TEST(beside(graph(2, 121, Mover::kernels)) == "waiting");
  comparison.measurements[1].status = Status::failed;
  BOOST_TEST(words(found(comparison).by) == "SMs");
  // Copies of each chunk, and starting its kernels, are nothing to those that do neither.
  comparison.limit->steady_out_us = 2.1;
  BOOST_TEST(beside(graph(2, 9, Mover::kernels)) == "copy out");
  BOOST_TEST(beside(graph(2, 100, Mover::engines_per_chunk)) == "waiting");
  comparison.limit->steady_out_us = 1;
  comparison.limit->kernels_us = 39;
  BOOST_TEST(beside(graph(2, 9, Mover::kernels)) == "kernel launches");
  BOOST_TEST(beside(graph(2, 100, Mover::engines_per_chunk)) == "waiting");
}

BOOST_AUTO_TEST_CASE(where_nothing_is_busy_for_long_all_figures_are_told) {
  const Limitation limit = found(comparison_of(made_up("streams", 100, 1000)));
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(!limit.share);
  BOOST_TEST(limit.figures ==
             "of its 1000 us host submission takes 100, copy in 64.0, copy out 64.0, SMs 128");
  Comparison comparison = comparison_of(made_up("streams", 100, 3000));
  BOOST_TEST(found(comparison).figures.ends_with(", SMs 128, a lane's stages 1328"));
}

BOOST_AUTO_TEST_CASE(who_is_at_the_bound_is_limited_by_it) {
  Comparison comparison = comparison_of(graph(2, 1000, Mover::engines_per_pass));
  comparison.limit->copies_in = comparison.limit->copies_out = CopyCost{235, 940};  // 235 a quarter
  comparison.limit->steady_work_us = 0;
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "waiting");  // 940 us are less than 95%
  comparison.limit->copies_in->start_us = 245;
  limit = found(comparison);
  BOOST_TEST(words(limit.by) == "copies in turn");
  BOOST_TEST(limit.share.value() == 0.95, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit.figures == "one after the other they take 950 of its 1000 us");
  BOOST_TEST(limit.next.starts_with("a few parts instead of one"));
  comparison.limit->copies_in->start_us = 400;  // nobody beats a bound by so much
  BOOST_TEST(words(found(comparison).by) == "waiting");
  comparison = comparison_of(made_up("streams", 10, 270));
  comparison.limit->bound_by = Limiter::one_chunk;
  comparison.limit->bound_us = 260;
  limit = found(comparison);
  BOOST_TEST(words(limit.by) == "one chunk's stages");
  BOOST_TEST(limit.figures == "one after the other they take 260 of its 270 us");
  BOOST_TEST(limit.next.starts_with("smaller chunks"));
  comparison.limit->bound_by = Limiter::copy_in;  // what takes turns with nothing is a load
  BOOST_TEST(words(found(comparison).by) == "waiting");
}

BOOST_AUTO_TEST_CASE(small_chunks_hide_no_link_whose_rate_is_known) {
  Comparison comparison = comparison_of(one_kernel(4, 500));  // a chunk's copy takes 1 us
  comparison.limit->steady_work_us = 0;
  BOOST_TEST(words(found(comparison).by) == "its kernels");
  comparison.limit->copies_in = CopyCost{2, 1200};  // of a quarter of a MiB
  comparison.limit->copies_out = CopyCost{2, 800};
  const Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "copy in");
  BOOST_TEST(limit.share.value() == 0.6, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(limit.figures ==
             "at the 0.9 GB/s of the copy engines its bytes take 300 of its 500 us");
  comparison.limit->copies_in->us_per_mib = 0;
  comparison.limit->copies_out->us_per_mib = 0;
  BOOST_TEST(words(found(comparison).by) == "its kernels");
  BOOST_TEST(found(comparison).figures.find("copy") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_single_short_kernel_is_limited_by_its_launch_and_the_wait) {
  Limitation limit = found(comparison_of(one_kernel(4, 19)));
  BOOST_TEST(words(limit.by) == "launch and wait");
  BOOST_TEST(limit.figures.starts_with("of its 19.0 us host submission takes 4.00"));
  BOOST_TEST(limit.next.starts_with("larger passes"));
  BOOST_TEST(words(found(comparison_of(one_kernel(4, 50))).by) == "its kernels");
  BOOST_TEST(words(found(comparison_of(graph(4, 19, Mover::fused_per_chunk))).by) == "its kernels");
}

BOOST_AUTO_TEST_CASE(other_ways_to_move_bytes_are_held_to_the_link_and_only_if_they_are_slower) {
  // 256 KiB at 4 GB/s: 65.5 us; out at 5 GB/s: 52.4 us.
  const auto with_rates = [](Measurement m) {
    Comparison comparison = comparison_of(std::move(m));
    comparison.limit->copy_in_us = comparison.limit->copy_out_us = 10;
    comparison.limit->steady_work_us = 0.01;
    return comparison;
  };
  Comparison comparison = with_rates(graph(2, 75, Mover::kernels));
  Limitation limit = found(comparison);
  BOOST_TEST(words(limit.by) == "copy in");
  BOOST_TEST(limit.figures ==
             "at the 4.0 GB/s of the copy engines its bytes take 65.5 of its 75.0 us");
  BOOST_TEST(limit.share.value() < 1);
  BOOST_TEST(limit.next.starts_with("streams or a graph"));
  comparison.measurements.push_back(made_up("streams", 10, 140));
  summarise(comparison);
  BOOST_TEST(found(comparison).next.starts_with("a profiler on build/graph,"));
  comparison.limit->copy_in_us = comparison.limit->copy_out_us = 9;  // shows no rate
  BOOST_TEST(words(found(comparison).by) == "its kernels");
  BOOST_TEST(found(with_rates(graph(2, 68, Mover::kernels))).next.starts_with("fewer bytes"));
  limit = found(with_rates(graph(2, 9, Mover::kernels)));
  BOOST_TEST(words(limit.by) == "its kernels");
  BOOST_TEST(!limit.share);
  BOOST_TEST(limit.figures.starts_with("of its 9.00 us host submission takes 2.00, "));
  BOOST_TEST(limit.next == "a profiler on build/graph, which contains only this variant");
  limit = found(with_rates(graph(2, 9, Mover::engines_per_pass)));  // one copy in, one copy out
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(limit.figures.ends_with("its copies overlap with no kernel"));
  limit = found(with_rates(graph(2, 75, Mover::engines_per_pass)));
  BOOST_TEST(words(limit.by) == "copy in");
  BOOST_TEST(limit.next.starts_with("a few parts instead of one"));
}

BOOST_AUTO_TEST_CASE(kernels_have_the_same_work_wherever_the_bytes_come_from) {
  // Of 128 us 80 parts in 81 are kernels, the rest memsets.
  Limitation limit = found(comparison_of(graph(2, 130, Mover::kernels)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(limit.figures == "the stages' kernels take 126 of its 130 us");
  BOOST_TEST(limit.next.starts_with("the kernel itself"));
  limit = found(comparison_of(graph(2, 126, Mover::kernels)));
  BOOST_TEST(limit.figures == "the stages' kernels take all of its 126 us");
  limit = found(comparison_of(graph(2, 150, Mover::engines_per_pass)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(limit.next.starts_with("a few parts instead of one"));
}

BOOST_AUTO_TEST_CASE(who_waits_is_told_so) {
  Measurement m = made_up("malloc", 990, 1000);
  m.plan.model.scratch = ScratchSource::cuda_malloc;
  BOOST_TEST(words(found(comparison_of(m)).by) == "memory management");
  BOOST_TEST(found(comparison_of(m)).figures.find("64 times a pass") != std::string::npos);
  m.plan.model.scratch = ScratchSource::lane;
  m.plan.model.issuer = Issuer::host_waiting;
  BOOST_TEST(words(found(comparison_of(m)).by) == "waiting");
  BOOST_TEST(found(comparison_of(m)).figures.find("448 times a pass") != std::string::npos);
  BOOST_TEST(found(comparison_of(m)).next == "lanes, and one wait per pass");
}

BOOST_AUTO_TEST_CASE(without_a_limit_or_times_nothing_is_said) {
  Comparison comparison = comparison_of(made_up("streams", 990, 1000));
  comparison.measurements[0].status = Status::failed;
  BOOST_TEST(!found(comparison).by);
  comparison.measurements[0].status = Status::ok;
  comparison.limit.reset();
  BOOST_TEST(!found(comparison).by);
}

BOOST_AUTO_TEST_SUITE_END()
