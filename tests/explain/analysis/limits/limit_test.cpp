#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/measure/harness/probe.hpp"

#include "tests/base/mentions.hpp"

BOOST_AUTO_TEST_SUITE(limit)

const auto tight = boost::unit_test::tolerance(1e-9);

/// Copies take 10 us alone and 11 in both directions, clear 1, kernels 4, work 5 when shared.
Limit figures() {
  Limit limit;
  limit.copy_in_us = limit.copy_out_us = 10;
  limit.steady_in_us = limit.steady_out_us = 11;
  limit.clear_us = 1;
  limit.kernels_us = 4;
  limit.steady_work_us = 5;
  return limit;
}

Comparison judged(const std::string& preset, const Limit& limit, double submit = 0,
                  double wall = 1) {
  Comparison comparison;
  comparison.workload.name = preset;
  comparison.reference = "streams";
  comparison.limit = limit;
  Measurement streams;
  streams.variant = "streams";
  streams.submit = Summary{.mean = submit};
  streams.wall = Summary{.mean = wall};
  comparison.measurements = {streams};
  judge_regime(comparison);
  return comparison;
}

BOOST_AUTO_TEST_CASE(one_chunk_overlaps_with_nothing, *tight) {
  Limit limit = figures();
  derive_bounds(limit, 1);
  BOOST_TEST(limit.bound_us == 25);
  BOOST_TEST(name_of(limit.bound_by.value()) == "one chunk's stages");
  BOOST_TEST(limit.one_engine_us.value() == 25);
  BOOST_TEST(limit.serial_us == 25);
}

BOOST_AUTO_TEST_CASE(kernels_that_crowd_their_results_count_two_thirds, *tight) {
  Limit limit = figures();
  limit.steady_work_us = 60;
  derive_bounds(limit, 8);
  BOOST_TEST(limit.bound_us == 5 + 7 * 60 + 20);
  derive_bounds(limit, 8, true);
  BOOST_TEST(limit.bound_us == 1 + 4 / 1.5 + 7 * 40 + 20);
  BOOST_TEST(limit.serial_us == 8 * 25);
}

BOOST_AUTO_TEST_CASE(copies_that_dominate_set_the_pace, *tight) {
  Limit limit = figures();
  derive_bounds(limit, 8);
  // 80 us of copies in, slowed down by a tenth of the 70 us before the last chunk's other stages
  // that overlap with copies out.
  BOOST_TEST(limit.bound_us == 80 + 15 + (80 - 15) / (1 - 1 / 11.) / 11);
  BOOST_TEST(name_of(limit.bound_by.value()) == "copy in");
  BOOST_TEST(limit.serial_us == 8 * 25);
}

BOOST_AUTO_TEST_CASE(copies_out_that_dominate_wait_for_the_first_chunk, *tight) {
  Limit limit = figures();
  limit.copy_out_us = 20;
  limit.steady_out_us = 22;
  derive_bounds(limit, 3);
  BOOST_TEST(limit.bound_us == 15 + 60 + (30 - 15) / (1 - 1 / 11.) * 2 / 11);
  BOOST_TEST(name_of(limit.bound_by.value()) == "copy out");
}

BOOST_AUTO_TEST_CASE(copies_that_share_an_engine_take_turns_at_their_own_rates, *tight) {
  Limit limit = figures();
  derive_bounds(limit, 8);
  BOOST_TEST(limit.one_engine_us.value() == 8 * (10 + 10) + 1 + 4);
}

BOOST_AUTO_TEST_CASE(figures_of_the_design_for_transfer) {
  // 32 chunks of 8 MiB at 55.4 and 55.1 GB/s alone, 101 GB/s in both directions together.
  Limit limit;
  constexpr double bytes = 8 << 20;
  limit.copy_in_us = bytes / 55.4e3;
  limit.copy_out_us = bytes / 55.1e3;
  limit.steady_in_us = limit.steady_out_us = bytes / 50.5e3;
  limit.clear_us = 2;
  limit.kernels_us = limit.steady_work_us = 8;
  derive_bounds(limit, 32);
  BOOST_TEST(limit.bound_us == 5466, boost::test_tools::tolerance(0.001));
  BOOST_TEST(limit.one_engine_us.value() == 9727, boost::test_tools::tolerance(0.001));
  BOOST_TEST(limit.serial_us == 10037, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(kernels_that_dominate_set_the_pace, *tight) {
  Limit limit = figures();
  limit.kernels_us = 99;
  limit.steady_work_us = 100;
  derive_bounds(limit, 4);
  BOOST_TEST(limit.bound_us == 10 + 400 + 10);
  BOOST_TEST(name_of(limit.bound_by.value()) == "SMs");
  BOOST_TEST(limit.one_engine_us.value() == 10 + 400 + 10);  // copies overlap with them
}

BOOST_AUTO_TEST_CASE(kernels_that_run_side_by_side_are_counted_once, *tight) {
  Limit limit = figures();
  limit.kernels_us = 899;  // alone on some of the SMs; two of them together take as long
  limit.steady_work_us = 450;
  derive_bounds(limit, 2);
  BOOST_TEST(limit.bound_us == 20 + 900 + 10);  // both copies in, then the second one's kernels
}

BOOST_AUTO_TEST_CASE(of_two_probes_the_faster_figures_are_the_limit) {
  Limit one = figures(), other = figures();
  one.copy_in_us = 12;
  other.steady_in_us = 13;
  one.calls_us = {{"cudaMemcpyAsync", 2}, {"cudaLaunchKernel", 3}, {"cudaFreeAsync", 1}};
  other.calls_us = {{"cudaLaunchKernel", 4}, {"cudaMemcpyAsync", 1.5}};
  one.whole = WholePass{.copy_in_us = 5, .arithmetic_us = 3};
  other.whole = WholePass{.copy_in_us = 6, .arithmetic_us = 2};
  Workload workload;
  workload.bytes = 8;
  workload.chunk_bytes = 1;
  const Limit both = fastest(one, other, workload);
  BOOST_TEST(both.copy_in_us == 10);
  BOOST_TEST(both.steady_in_us == 11);
  BOOST_TEST((both.whole->copy_in_us == 5 && both.whole->arithmetic_us == 2));
  BOOST_TEST(name_of(both.bound_by.value()) == "copy in");
  const auto& calls = both.calls_us.value();
  BOOST_REQUIRE_EQUAL(calls.size(), 3u);
  BOOST_TEST((calls[0].name == "cudaMemcpyAsync" && calls[0].us == 1.5));
  BOOST_TEST((calls[1].us == 3 && calls[2].us == 1));
}

BOOST_AUTO_TEST_CASE(regimes_hold_or_do_not) {
  Limit limit = figures();
  BOOST_TEST(*judged("launch", limit, 95, 100).regime_held);
  BOOST_TEST(!*judged("launch", limit, 50, 100).regime_held);
  BOOST_TEST(!*judged("transfer", limit).regime_held);
  limit.steady_work_us = 2;
  BOOST_TEST(*judged("transfer", limit).regime_held);
  BOOST_TEST(!*judged("balanced", limit).regime_held);
  limit.kernels_us = 11;
  BOOST_TEST(*judged("balanced", limit).regime_held);
  BOOST_TEST(!*judged("compute", limit).regime_held);
  limit.kernels_us = 100;
  BOOST_TEST(*judged("compute", limit).regime_held);
  BOOST_TEST(!*judged("reduce", limit).regime_held);
  limit.steady_out_us = 1;
  BOOST_TEST(*judged("reduce", limit).regime_held);
  BOOST_TEST(!*judged("search", limit).regime_held);
  limit.kernels_us = 1000;
  BOOST_TEST(*judged("search", limit).regime_held);
}

BOOST_AUTO_TEST_CASE(a_promise_has_two_ends_and_is_about_certain_figures) {
  const auto held = [](const std::string& preset, const Limit& limit) {
    return judged(preset, limit).regime_held.value();
  };
  Limit limit{.copy_in_us = 10, .clear_us = 1, .kernels_us = 13.3, .copy_out_us = 100};
  BOOST_TEST(held("balanced", limit));
  limit.kernels_us = 13.4;
  BOOST_TEST(!held("balanced", limit));
  limit.kernels_us = 7.4;
  BOOST_TEST(!held("balanced", limit));
  limit.kernels_us = 133;
  BOOST_TEST(held("compute", limit));
  limit.kernels_us = 134;
  BOOST_TEST(!held("compute", limit));
  limit.kernels_us = 2001;
  BOOST_TEST(!held("search", limit));
  limit.steady_in_us = 50;
  limit.steady_work_us = 10;
  limit.steady_out_us = 50;
  BOOST_TEST(held("transfer", limit));
  limit.steady_out_us = 49;  // the faster direction decides
  BOOST_TEST(!held("transfer", limit));
  limit.steady_out_us = 10;
  BOOST_TEST(held("reduce", limit));
  limit.steady_work_us = 11;  // and so does the longer of work and copy out
  BOOST_TEST(!held("reduce", limit));
}

BOOST_AUTO_TEST_CASE(who_submits_is_not_judged_without_times_of_the_reference) {
  Comparison comparison = judged("launch", figures(), 95, 100);
  BOOST_TEST(mentions(comparison.regime, {"host submission", "holds", "streams", "95%"}));
  comparison.measurements[0].wall.reset();
  judge_regime(comparison);
  BOOST_TEST(!comparison.regime_held);
  BOOST_TEST(mentions(comparison.regime, {"not judged", "reference"}));
  comparison.workload.name = "transfer";  // whose figures are the limit's
  judge_regime(comparison);
  BOOST_TEST(!comparison.regime_held.value());
  comparison.measurements.clear();
  comparison.workload.name = "launch";
  judge_regime(comparison);
  BOOST_TEST(!comparison.regime_held);
}

BOOST_AUTO_TEST_CASE(a_modified_preset_or_a_custom_workload_claims_no_regime) {
  Comparison comparison = judged("custom", figures());
  BOOST_TEST(!comparison.regime_held);
  BOOST_TEST(comparison.regime.empty());
  comparison.workload.name = "transfer";
  comparison.workload.modified = true;
  judge_regime(comparison);
  BOOST_TEST(!comparison.regime_held);
}

BOOST_AUTO_TEST_CASE(not_a_number_holds_in_no_regime) {
  Limit limit;
  limit.copy_in_us = limit.kernels_us = limit.steady_in_us = limit.steady_out_us =
      limit.steady_work_us = std::numeric_limits<double>::quiet_NaN();
  for (const Workload& preset : presets()) {
    BOOST_TEST(!*judged(preset.name, limit, limit.copy_in_us, 1).regime_held, preset.name);
  }
}

BOOST_AUTO_TEST_CASE(what_is_faster_in_a_graph_counts, *tight) {
  Limit limit = figures();
  limit.kernels_us = 99;
  limit.steady_work_us = 100;
  limit.graph_kernels_us = 89;
  limit.graph_work_us = 80;
  derive_bounds(limit, 4);
  BOOST_TEST(limit.bound_us == 10 + 4 * 80 + 10);
  BOOST_TEST(limit.serial_us == 4 * 120);  // which is on a stream
}

BOOST_AUTO_TEST_CASE(of_two_chunks_the_SMs_set_the_pace) {
  Limit limit{.copy_in_us = 2, .clear_us = 1, .kernels_us = 1000, .copy_out_us = 2};
  limit.steady_in_us = 3;
  limit.steady_work_us = 500;
  limit.steady_out_us = 1;
  derive_bounds(limit, 2);
  BOOST_TEST(limit.bound_us == 4 + 1001 + 2);  // both copies in, then the second one's kernel
  BOOST_TEST(name_of(limit.bound_by.value()) == "copy in");
  BOOST_TEST(limit.one_engine_us.value() == 2 * (2 + 1) + 1001);
  limit.steady_work_us = 1001;
  derive_bounds(limit, 4);
  BOOST_TEST(name_of(limit.bound_by.value()) == "SMs");
}

BOOST_AUTO_TEST_CASE(with_one_engine_a_pass_takes_no_less_than_with_two) {
  Limit limit{.copy_in_us = 2, .clear_us = 1, .kernels_us = 1000, .copy_out_us = 1};
  limit.steady_in_us = 2;
  limit.steady_out_us = 5;  // in both directions a copy takes longer than alone
  limit.steady_work_us = 500;
  derive_bounds(limit, 2);
  BOOST_TEST(limit.bound_us == 4 + 1001 + 1);
  BOOST_TEST(limit.one_engine_us.value() == 4 + 2 + 1001);
}

BOOST_AUTO_TEST_SUITE_END()
