// The limit of a variant, and predictions for other numbers of lanes and chunks, with fake figures.
#include "common/explain/analysis/verdict/loads.hpp"

#include "common/explain/analysis/verdict/pipelined.hpp"
#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(limitation)

/// Returns a comparison on the launch preset, 64 chunks on 4 lanes: per chunk 1 us of copies in
/// each direction, 80 us of kernels, many of which fit onto the SMs.
Comparison comparison_of(Measurement m) {
  Comparison comparison = made_up_comparison({std::move(m)}, "");
  comparison.limit = Limit{.copy_in_us = 1,
                           .clear_us = 1,
                           .kernels_us = 80,
                           .copy_out_us = 1,
                           .steady_in_us = 1,
                           .steady_work_us = 25,
                           .steady_out_us = 1,
                           .graph_kernels_us = 40,
                           .graph_work_us = 11,
                           .graph_steady_kernels_us = 10,
                           .whole = WholePass{.copy_in_us = 90,
                                              .copy_out_us = 80,
                                              .link_in_us = 60,
                                              .link_out_us = 50,
                                              .arithmetic_us = 100}};
  return comparison;
}

Limitation found(const Comparison& comparison) {
  return limitation_of(comparison, comparison.measurements[0]);
}

std::string words(std::optional<Limiter> by) { return by ? name_of(*by) : ""; }

Measurement variant(double submit_us, double wall_us, const Model& model) {
  Measurement m = made_up("variant", submit_us, wall_us);
  m.plan.model = model;
  return m;
}

constexpr Model streams = multi_stream;
constexpr Model graph{Issuer::graph, Chaining::lanes, ScratchSource::lane,
                      Mover::engines_per_chunk};
constexpr Model one_kernel{Issuer::host, Chaining::one_stream, ScratchSource::none,
                           Mover::fused_per_pass};

BOOST_AUTO_TEST_CASE(the_longest_load_limits) {
  Limitation limit = found(comparison_of(variant(1990, 2000, streams)));
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.share.value() == 0.995, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(mentions(limit.figures, {"128 runtime calls", "host", "1990 of its 2000 us"}));
  limit = found(comparison_of(variant(10, 2000, streams)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"memsets and kernels take", "1600 of its 2000 us"}));
  limit = found(comparison_of(variant(10, 800, graph)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"704 of its 800 us"}));
  limit = found(comparison_of(variant(10, 690, graph)));
  BOOST_TEST(mentions(limit.figures, {"all of its 690 us"}));
}

BOOST_AUTO_TEST_CASE(half_of_the_time_is_not_most_of_it) {
  const Limitation limit = found(comparison_of(variant(10, 3200, streams)));
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(!limit.share);
  BOOST_TEST(mentions(limit.figures, {"of its 3200 us", "one chunk's stages takes 83.0", "SMs 1600",
                                      "a lane's stages 1328", "host submission 10.0"}));
  BOOST_TEST(words(found(comparison_of(variant(10, 3100, streams))).by) == "SMs");
}

BOOST_AUTO_TEST_CASE(every_load_has_words) {
  Comparison comparison = comparison_of(variant(10, 1000, graph));
  const Measurement& m = comparison.measurements[0];
  const auto said = [&](Limiter by) { return words_of({by, 250, 0}, comparison, m); };
  BOOST_TEST(said(Limiter::copy_in) == "copies in take 250 of its 1000 us, at 1.0 GB/s");
  BOOST_TEST(said(Limiter::copy_out) == "copies out take 250 of its 1000 us, at 1.0 GB/s");
  BOOST_TEST(mentions(said(Limiter::kernel_launches), {"kernels take 250", "started one by one"}));
  BOOST_TEST(mentions(said(Limiter::host_submission), {"one graph of 448 nodes", "host 250"}));
  for (const Limiter by : {Limiter::lane_stages, Limiter::kernels_in_turn, Limiter::one_chunk,
                           Limiter::copies_in_turn, Limiter::taking_turns}) {
    BOOST_TEST(mentions(said(by), {"one after the other", "250 of its 1000 us"}));
  }
  BOOST_TEST(mentions(said(Limiter::one_copy_engine), {"250 of its 1000 us", "one copy engine"}));
  BOOST_TEST(mentions(said(Limiter::link), {"rate of the copy engines", "250 of its 1000 us"}));
  BOOST_CHECK_THROW(said(Limiter::waiting), std::logic_error);
}

BOOST_AUTO_TEST_CASE(kernels_that_move_the_bytes_do_more_than_was_measured) {
  Limitation limit = found(comparison_of(variant(4, 500, one_kernel)));
  BOOST_TEST(words(limit.by) == "its kernels");
  BOOST_TEST(
      mentions(limit.figures, {"of its 500 us", "link takes 60.0", "SMs 100", "copy the data"}));
  limit = found(comparison_of(variant(4, 190, one_kernel)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"the arithmetic", "100 of its 190 us"}));
}

BOOST_AUTO_TEST_CASE(a_single_short_kernel_is_limited_by_its_launch_and_the_wait) {
  const auto by = [](double wall_us) {
    Comparison comparison = comparison_of(variant(4, wall_us, one_kernel));
    comparison.limit->whole.reset();
    return words(found(comparison).by);
  };
  BOOST_TEST(by(19) == "launch and wait");
  BOOST_TEST(by(50) == "its kernels");
}

BOOST_AUTO_TEST_CASE(waits_within_a_pass_limit_first) {
  Model model = streams;
  model.scratch = ScratchSource::cuda_malloc;
  Limitation limit = found(comparison_of(variant(990, 1000, model)));
  BOOST_TEST(words(limit.by) == "memory management");
  BOOST_TEST(mentions(limit.figures, {"allocates 64 times"}));
  model = streams;
  model.issuer = Issuer::host_waiting;
  limit = found(comparison_of(variant(990, 1000, model)));
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(mentions(limit.figures, {"448 times a pass"}));
}

BOOST_AUTO_TEST_CASE(without_a_limit_or_times_nothing_is_said) {
  Comparison comparison = comparison_of(variant(990, 1000, streams));
  comparison.measurements[0].status = Status::failed;
  BOOST_TEST(!found(comparison).by);
  comparison.measurements[0].status = Status::ok;
  comparison.limit.reset();
  BOOST_TEST(!found(comparison).by);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(next_steps)

const auto tight = boost::unit_test::tolerance(1e-9);

/// Returns 16 chunks of 4 KiB: 10 us in, 10 out, kernels of 20 us that share the SMs, 5 us each.
Comparison on_lanes(std::uint32_t lanes, double wall_us) {
  Comparison comparison = made_up_comparison({made_up("streams", 10, wall_us)}, "");
  Workload& workload = comparison.workload;
  workload.bytes = 16 * workload.chunk_bytes;
  workload.lanes = lanes;
  workload.depth = 1;
  comparison.limit = Limit{};
  set_times(*comparison.limit, {.copy_in_us = 10,
                                .kernels_us = 20,
                                .copy_out_us = 10,
                                .one_way_in_us = 10,
                                .one_way_out_us = 10,
                                .steady_in_us = 10,
                                .steady_work_us = 5,
                                .steady_out_us = 10});
  return comparison;
}

std::optional<NextStep> step_of(const Comparison& comparison) {
  return next_step(comparison, comparison.measurements[0]);
}

/// Returns one chunk that takes 40 us; an eighth of it takes 1.25 us a copy, and its kernel the
/// given time.
Comparison one_chunk(double eighth_of_a_kernel_us) {
  Comparison comparison = on_lanes(8, 45);
  comparison.workload.bytes = comparison.workload.chunk_bytes;
  ChunkTimes times = times_of(*comparison.limit);
  for (auto time :
       {&ChunkTimes::copy_in_us, &ChunkTimes::copy_out_us, &ChunkTimes::one_way_in_us,
        &ChunkTimes::one_way_out_us, &ChunkTimes::steady_in_us, &ChunkTimes::steady_out_us}) {
    times.*time = 1.25;
  }
  times.kernels_us = eighth_of_a_kernel_us;
  times.steady_work_us = 0.625;
  const double bytes = static_cast<double>(comparison.workload.chunk_bytes) / 8;
  comparison.limit->other = OtherCut{bytes, bytes, times};
  return comparison;
}

/// Returns 16 chunks whose calls take 450 of 495 us, with known times of chunks of the given size,
/// too.
Comparison by_calls(double other_chunk_bytes) {
  Comparison comparison = on_lanes(16, 495);
  Measurement& m = comparison.measurements[0];
  m.submit->min = 450;
  m.plan.calls = {{"cudaMemcpyAsync", 90}};
  comparison.limit->calls_us = {{"cudaMemcpyAsync", 5}};
  comparison.limit->other =
      OtherCut{other_chunk_bytes, other_chunk_bytes, times_of(*comparison.limit)};
  return comparison;
}

BOOST_AUTO_TEST_CASE(more_lanes_are_foreseen_to_help_until_engines_are_busy, *tight) {
  // One lane: 16 times 40 us. Four: 160; 190 for the copies in and what follows the last. Eight and
  // more are no better.
  const Comparison comparison = on_lanes(1, 650);
  const NextStep step = step_of(comparison).value();
  BOOST_TEST(name_of(step.knob) == "lanes");
  BOOST_TEST(step.value == 4u);
  BOOST_TEST(step.wall_us == 10 + 1.7 * 190);
  BOOST_TEST(words_of(step, comparison, comparison.measurements[0]) ==
             "--lanes 4, which should take about 333 us or less, instead of 650");
}

BOOST_AUTO_TEST_CASE(nothing_is_foreseen_of_what_the_bound_does_not_explain) {
  BOOST_TEST(step_of(on_lanes(1, 799)).has_value());
  BOOST_TEST(!step_of(on_lanes(1, 801)));
}

BOOST_AUTO_TEST_CASE(other_chunks_are_foreseen_where_it_is_worth_a_word, *tight) {
  // Eight chunks: 10 us, and after the last 1.25 and the kernel.
  BOOST_TEST(!step_of(one_chunk(18)));  // 5 + 1.25 * 29.25 of 45 us
  BOOST_TEST(step_of(one_chunk(17)).has_value());
  const Comparison comparison = one_chunk(2.75);
  const NextStep step = step_of(comparison).value();
  BOOST_TEST(name_of(step.knob) == "chunks");
  BOOST_TEST(step.value == 8u);
  BOOST_TEST(step.wall_us == 5 + 1.25 * 14);
  BOOST_TEST(words_of(step, comparison, comparison.measurements[0]) ==
             "--size 4096 --chunks 8, which should take about 22.5 us or less, instead of 45.0");
}

BOOST_AUTO_TEST_CASE(more_calls_take_their_time_where_they_come_before_the_first_copy_out, *tight) {
  Comparison comparison = one_chunk(2.75);
  comparison.limit->calls_us = {{"cudaMemcpyAsync", 0.125}};
  comparison.measurements[0].plan.calls = {{"cudaMemcpyAsync", 1}};
  comparison.workload.order = Order::breadth_first;
  BOOST_TEST(step_of(comparison).value().wall_us == 5 + 1.25 * 14 + 7 * 0.125);
  comparison.workload.order = Order::depth_first;
  BOOST_TEST(step_of(comparison).value().wall_us == 5 + 1.25 * 14);
}

BOOST_AUTO_TEST_CASE(more_chunks_are_foreseen_only_where_each_has_a_lane) {
  Comparison comparison = one_chunk(2.75);
  comparison.workload.lanes = 7;
  BOOST_TEST(step_of(comparison).value().value == 4u);
  comparison.workload.lanes = 1;
  BOOST_TEST(!step_of(comparison));
}

BOOST_AUTO_TEST_CASE(chunks_are_left_where_results_would_change) {
  Comparison comparison = one_chunk(2.75);
  comparison.workload.result_bytes /= 2;  // a reduction: other chunks have other results
  BOOST_TEST(!step_of(comparison));
}

BOOST_AUTO_TEST_CASE(nothing_is_foreseen_of_models_for_which_it_would_be_wrong) {
  Comparison comparison = by_calls(8 * 4096);
  Model& model = comparison.measurements[0].plan.model;
  const Model streams = model;
  BOOST_TEST(step_of(comparison).has_value());
  model.chaining = Chaining::data_edges;
  BOOST_TEST(step_of(comparison).has_value());
  model.chaining = Chaining::engines;
  BOOST_TEST(!step_of(comparison));
  model = streams;
  model.scratch = ScratchSource::cuda_malloc;
  BOOST_TEST(!step_of(comparison));
  model = streams;
  model.mover = Mover::kernels;
  BOOST_TEST(!step_of(comparison));
}

BOOST_AUTO_TEST_CASE(chunks_are_foreseen_between_the_sizes_that_were_measured) {
  BOOST_TEST(step_of(by_calls(8 * 4096)).value().value == 2u);
  BOOST_TEST(step_of(by_calls(2 * 4096)).value().value == 8u);
  BOOST_TEST(!step_of(by_calls(4096. / 8)));
}

BOOST_AUTO_TEST_CASE(without_a_bound_nothing_is_foreseen) {
  Comparison comparison = on_lanes(1, 650);
  comparison.limit.reset();
  BOOST_TEST(!step_of(comparison));
}

BOOST_AUTO_TEST_SUITE_END()
