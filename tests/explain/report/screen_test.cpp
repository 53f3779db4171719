// The screen keeps within its lines and columns for every run, and says what matters.
#include "common/explain/report/report.hpp"

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(screens)

Measurement with_model(const std::string& variant, const Model& model, double wall_us,
                       std::uint32_t rounds = 21) {
  Measurement m = made_up(variant, wall_us / 2, wall_us, rounds);
  m.plan.model = model;
  m.checked_passes = 4;
  return m;
}

/// Returns streams, graph, pools, engines, one that moves chunks together, and two rewrites.
std::vector<Measurement> of_all_tiers(double streams_us, std::uint32_t rounds = 21) {
  using enum Issuer;
  using enum Chaining;
  using enum ScratchSource;
  using enum Mover;
  const auto m = [&](const char* name, const Model& model, double factor) {
    return with_model(name, model, factor * streams_us, rounds);
  };
  return {m("serial", {host_waiting, one_stream, ScratchSource::lane, engines_per_chunk}, 3),
          m("streams", {host, lanes, ScratchSource::lane, engines_per_chunk}, 1),
          m("engines", {host, engines, ScratchSource::lane, engines_per_chunk}, 0.95),
          m("graph", {Issuer::graph, lanes, ScratchSource::lane, engines_per_chunk}, 0.4),
          m("graph_coalesced", {Issuer::graph, lanes, pass, engines_per_pass}, 0.09),
          m("pool", {host, lanes, ScratchSource::pool, engines_per_chunk}, 1.08),
          m("pool_trim", {host, lanes, trimmed_pool, engines_per_chunk}, 1.3),
          m("malloc", {host, lanes, cuda_malloc, engines_per_chunk}, 5.2),
          m("graph_fused", {Issuer::graph, lanes, none, fused_per_chunk}, 0.05),
          m("fused", {host, one_stream, none, fused_per_pass}, 0.0145)};
}

Results run_of(std::vector<Comparison> comparisons) {
  Results results;
  results.context.gpu = {{"name", "NVIDIA Example 100"},
                         {"driver_version", "999.1"},
                         {"cuda_runtime_version", "98.7"}};
  results.comparisons = std::move(comparisons);
  return results;
}

Comparison run_on(const Workload& workload, std::vector<Measurement> measurements,
                  const std::string& reference = "streams") {
  Comparison comparison = made_up_comparison(std::move(measurements), reference);
  comparison.workload = workload;
  comparison.limit = Limit{.bound_us = 340};
  return comparison;
}

Results all_presets() {
  std::vector<Comparison> comparisons;
  for (const Workload& preset : presets())
    comparisons.push_back(run_on(preset, of_all_tiers(1247)));
  return run_of(std::move(comparisons));
}

Results one_preset() { return run_of({run_on(presets().front(), of_all_tiers(1247))}); }

/// Adds everything that makes a screen longer, with long words.
void burden(Results& results) {
  const std::string longer(60, 'w');
  results.context.other_processes = {"1 " + longer, "2 " + longer, "3 " + longer, "4 " + longer};
  results.context.gpu_before = {{"sm_clock_mhz", "1980"},
                                {"clocks_limited_by", "software power cap, hardware slowdown"}};
  results.context.gpu_after = {{"sm_clock_mhz", "1000"}, {"clocks_limited_by", "none"}};
  for (Comparison& comparison : results.comparisons) {
    comparison.regime_held = false;
    comparison.stopped = "interrupted";
    comparison.advice = Advice{.use = "graph",
                               .over = "streams",
                               .ratio = {},
                               .break_even = {},
                               .device_bytes = {},
                               .limited_by = "host submission",
                               .share = {},
                               .figures = longer + " " + longer + " " + longer + " " + longer,
                               .next = longer + " " + longer + " " + longer + " " + longer,
                               .step = {}};
    for (const char* name : {"broken_", "lost_", "impossible_"}) {
      comparison.measurements.push_back(
          made_up(name + longer,
                  name[0] == 'b'   ? Status::failed
                  : name[0] == 'l' ? Status::not_run
                                   : Status::not_supported,
                  "why " + longer + " " + longer + " " + longer + "\nand more"));
    }
  }
}

const std::string more = "trilane show results.json --bounds";

/// Returns the screen as text, after a check of its size.
std::string screen(const Results& results) {
  const Page page = screen_page(results, more);
  const std::string text = as_text(page);
  const std::size_t most = results.comparisons.size() == 1 ? screen_lines_of_one : screen_lines;
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(lines_in(text).size() <= most);
    check_page(page);
    check_page(answers_page(results));
  }
  return text;
}

Results with_variants(const std::vector<std::string>& names, const std::string& reference,
                      bool several) {
  Results results = several ? all_presets() : one_preset();
  for (Comparison& comparison : results.comparisons) {
    std::erase_if(comparison.measurements, [&](const Measurement& m) {
      return std::ranges::find(names, m.variant) == names.end();
    });
    const Workload workload = comparison.workload;
    comparison = run_on(workload, std::move(comparison.measurements), reference);
  }
  return results;
}

BOOST_AUTO_TEST_CASE(all_presets_have_a_row_each_and_an_answer_to_each_question) {
  const std::string text = screen(all_presets());
  BOOST_TEST(
      mentions(on_one_line(text),
               {"NVIDIA Example 100, driver 999.1, CUDA 98.7: 6 workloads, 10 variants, 7.5 s.",
                "Every result was right.", "streams, us", "graph", "pool", "best, same stages",
                "best rewrite", "limit, us"}));
  for (const Workload& preset : presets()) {
    BOOST_TEST(mentions(line_of(text, preset.name + " "),
                        {"1247", "2.5x", "0.93x", "graph_coalesced 11x *", "fused 69x", "340"}));
  }
  BOOST_TEST(mentions(text, {"copies all chunks together", "Graph?", "Pool?", "Engines?",
                             "Doubtful", "--processes 5", "More", more}));
}

BOOST_AUTO_TEST_CASE(one_preset_says_what_to_use_and_why) {
  Results results = one_preset();
  results.comparisons[0].advice = Advice{.use = "graph",
                                         .over = "streams",
                                         .ratio = {},
                                         .break_even = {},
                                         .device_bytes = {},
                                         .limited_by = "copy in",
                                         .share = {},
                                         .figures = "96 of its 128 us",
                                         .next = "fewer bytes",
                                         .step = {}};
  const std::string text = screen(results);
  BOOST_TEST(mentions(text, {"launch, 10 variants", "speed [95% interval in this process]", "tier",
                             "Limit, chunk by chunk: 340 us."}));
  BOOST_TEST(mentions(line_of(text, "graph "), {"499", "249", "2.5x [2.4", "same operations"}));
  BOOST_TEST(mentions(
      on_one_line(text),
      {"Answer", "Use graph: 2.5 times as fast as streams [", "Moved together", "Rewritten",
       "Limit", "Copy in: 96 of its 128 us.", "Next", "Fewer bytes.", "Graph?", "Yes: 2.5x"}));
}

BOOST_AUTO_TEST_CASE(what_failed_comes_first) {
  Results results = all_presets();
  results.comparisons[2].measurements[3].status = Status::failed;
  results.comparisons[2].measurements[3].message = "wrong data: word 17";
  const std::string text = screen(results);
  BOOST_TEST(text.starts_with("FAILED"));
  BOOST_TEST(mentions(text, {"graph on balanced: wrong data: word 17", "All other results"}));
  BOOST_TEST(as_text(answers_page(results)).starts_with("FAILED"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_and_what_is_not_supported_are_told) {
  Results results = one_preset();
  results.comparisons[0].stopped = "interrupted";
  results.comparisons[0].measurements[5] =
      made_up("pool", Status::not_supported, "this GPU has no memory pools");
  results.comparisons[0].measurements[9] = made_up("fused", Status::not_run, "");
  const std::string text = screen(results);
  BOOST_TEST(text.starts_with("CUT SHORT  The run was interrupted. Not run: fused on launch."));
  BOOST_TEST(mentions(on_one_line(text), {"Every result was right.",
                                          "Not supported: pool on launch: this GPU has no"}));
}

BOOST_AUTO_TEST_CASE(variants_that_are_not_supported_are_counted_by_workloads) {
  Results results = all_presets();
  const auto leave_out = [&](std::size_t workload, std::size_t variant) {
    Measurement& m = results.comparisons[workload].measurements[variant];
    m = made_up(m.variant, Status::not_supported, "its kernels read host memory");
  };
  for (const std::size_t workload : {1u, 4u}) {
    for (const std::size_t variant : {8u, 9u}) leave_out(workload, variant);
  }
  const auto says = [&](const std::string& text) {
    return mentions(on_one_line(screen(results)), {text.c_str()});
  };
  BOOST_TEST(says("Not supported on 2 of 6 workloads: graph_fused and fused."));
  leave_out(2, 5);
  BOOST_TEST(says("Not supported on 2 of 6 workloads: graph_fused and fused; on 1 of 6: pool."));
  leave_out(3, 5);  // as many workloads, but others
  BOOST_TEST(says("Not supported on 2 of 6 workloads: graph_fused and fused; on 2 of 6: pool."));
  leave_out(0, 5);
  BOOST_TEST(says("Not supported on 3 of 6 workloads: pool; on 2 of 6: graph_fused and fused."));
}

BOOST_AUTO_TEST_CASE(a_few_variants_have_a_column_each) {
  const std::string few = screen(with_variants({"streams", "malloc", "engines"}, "streams", true));
  BOOST_TEST(mentions(line_of(few, "  "), {"streams, us", "engines", "malloc", "best, same"}));
  BOOST_TEST(mentions(line_of(few, "search "), {"1247", "1.05x", "0.19x", "engines 1.05x"}));
  const std::string three =
      screen(with_variants({"streams", "serial", "malloc", "pool_trim"}, "streams", true));
  BOOST_TEST(mentions(line_of(three, "  "), {"serial", "pool_trim", "malloc"}));
  const std::string four =
      screen(with_variants({"streams", "serial", "malloc", "pool_trim", "graph"}, "streams", true));
  BOOST_TEST(mentions(line_of(four, "  "), {"graph", "best, same"}));
  BOOST_TEST(!contains(line_of(four, "  "), "malloc"));
}

BOOST_AUTO_TEST_CASE(an_answer_names_as_many_workloads_as_its_lines_hold) {
  Results results = all_presets();
  double factor = 1;
  for (Comparison& comparison : results.comparisons) {
    factor += 0.02;
    for (Measurement& m : comparison.measurements) {
      if (!m.variant.starts_with("pool") && m.variant != "malloc") continue;
      for (Sample& sample : m.samples) sample.wall_us *= factor;
    }
    Workload workload = comparison.workload;
    workload.modified = true;  // for longer labels
    comparison = run_on(workload, std::move(comparison.measurements));
  }
  const std::string text = on_one_line(screen(results));
  BOOST_TEST(mentions(
      text, {"Pool?", "chunk: +21% on search/modified and 5 more. Release threshold 0: +46% on",
             "cudaMalloc per chunk: 5.8x as long on search/modified and 5 more. Engines?"}));
  // The others need no shortening.
  BOOST_TEST(mentions(text, {"Engines?", "(1.05x), transfer/modified (1.05x), balanced/modified"}));
  BOOST_TEST(mentions(on_one_line(as_text(answers_page(results))),
                      {"+21% on search/modified, +19% on reduce/modified, +17%"}));
}

BOOST_AUTO_TEST_CASE(results_that_were_not_checked_are_not_called_right) {
  Results results = one_preset();
  for (Measurement& m : results.comparisons[0].measurements) m.checked_passes = 0;
  BOOST_TEST(mentions(screen(results), {"Results were not checked."}));
}

BOOST_AUTO_TEST_CASE(simulated_results_are_called_so_and_carry_the_models_error) {
  Results results = one_preset();
  for (Measurement& m : results.comparisons[0].measurements) {
    m.prediction = Prediction{1.25, 2};
    m.checked_passes = 0;
  }
  results.context.simulated = "NVIDIA Example 100 (profile of 2001-02-03)";
  derive(results);
  const std::string text = screen(results);
  BOOST_TEST(text.starts_with("Simulated NVIDIA Example 100 (profile"));
  BOOST_TEST(
      mentions(on_one_line(text), {"Predicted, not checked.", "speed [model's error]",
                                   "2.5x [2.000, 3.125]", "2.5 times", "[model's error: 2.00"}));
  for (const char* word : {"95%", "Doubtful", "same [", " s."})
    BOOST_TEST(!contains(text, word), word);
}

/// Returns all presets as predicted, with that error of every ratio.
Results predicted_with_error(double factor) {
  Results results = all_presets();
  for (Comparison& comparison : results.comparisons) {
    for (Measurement& m : comparison.measurements) m.prediction = Prediction{factor, 2};
  }
  results.context.simulated = "NVIDIA Example 100 (profile of 2001-02-03)";
  derive(results);
  return results;
}

BOOST_AUTO_TEST_CASE(what_a_model_does_not_tell_apart_is_a_question_mark_and_never_the_same) {
  const std::string text = screen(predicted_with_error(100));
  BOOST_TEST(mentions(line_of(text, "search "), {"1247", "?", "?", "streams", "?", "340"}));
  for (const char* word : {"same:", "fused", "x "}) {
    BOOST_TEST(!contains(line_of(text, "search "), word), word);
    BOOST_TEST(!contains(line_of(text, "2x:"), "same"));
  }
  BOOST_TEST(mentions(line_of(text, "2x:"), {"?: inconclusive, within the model's error."}));
}

BOOST_AUTO_TEST_CASE(a_small_error_of_the_model_tells_how_small_a_difference_is) {
  const std::string text = screen(predicted_with_error(1.1));
  BOOST_TEST(mentions(line_of(text, "search "), {"2.5x", "<19%"}));  // 1.08 times as long
  BOOST_TEST(mentions(line_of(text, "2x:"), {"<5%: no difference of that size"}));
}

BOOST_AUTO_TEST_CASE(how_small_a_difference_is_is_said_up_to_20_percent) {
  const auto said = [](double low, double high, Covers covers = Covers::model_error) {
    return small_difference(Ratio{1, low, high, covers});
  };
  BOOST_TEST(said(0.99, 1.05) == "<5%");
  BOOST_TEST(said(1 / 1.2, 1.01) == "<20%");
  BOOST_TEST(said(1 / 1.21, 1.01) == "");
  BOOST_TEST(said(0.991, 0.999) == "<1%");
  BOOST_TEST(said(0.99, 1.05, Covers::processes) == "");
}

BOOST_AUTO_TEST_CASE(columns_without_an_entry_are_left_out) {
  const std::string text = screen(with_variants({"streams", "pool"}, "streams", true));
  BOOST_TEST(mentions(text, {"streams, us", "pool"}));
  for (const char* word : {"graph", "rewrite", "Engines?"}) BOOST_TEST(!contains(text, word), word);
}

BOOST_AUTO_TEST_CASE(without_a_reference_cells_are_times) {
  for (const bool several : {false, true}) {
    const std::string text = screen(with_variants({"graph", "pool"}, "", several));
    BOOST_TEST(mentions(text, {"graph"}));
    BOOST_TEST(mentions(text, {several ? "499 us" : "499"}));
    const std::string alone = screen(with_variants({"graph"}, "", several));
    BOOST_TEST(mentions(alone, {"graph"}));
  }
  Results alone = with_variants({"graph"}, "", false);
  BOOST_TEST(mentions(screen(alone), {"Only graph was measured"}));
  alone.context.simulated = "NVIDIA Example 100";
  BOOST_TEST(mentions(screen(alone), {"Only graph was simulated"}));
}

BOOST_AUTO_TEST_CASE(another_reference_heads_its_column) {
  for (const char* reference : {"serial", "graph", "fused"}) {
    Results results = all_presets();
    for (Comparison& comparison : results.comparisons) {
      const Workload workload = comparison.workload;
      comparison = run_on(workload, of_all_tiers(1247), reference);
    }
    const std::string text = screen(results);
    BOOST_TEST(mentions(text, {std::string(reference) + ", us", "Graph?"}));
    if (reference == std::string("graph"))
      BOOST_TEST(mentions(line_of(text, "search "), {"499", "same", "0.37x"}));
  }
  Results mixed = all_presets();
  const Workload workload = mixed.comparisons[1].workload;
  mixed.comparisons[1] = run_on(workload, of_all_tiers(1247), "serial");
  BOOST_TEST(mentions(screen(mixed), {"  reference, us"}));
}

BOOST_AUTO_TEST_CASE(more_rows_than_fit_are_counted) {
  std::vector<Comparison> comparisons;
  for (int i = 0; i < 100; ++i) {
    Workload workload = presets().front();
    workload.name = "preset_" + std::to_string(i);
    comparisons.push_back(run_on(workload, of_all_tiers(1247)));
  }
  const std::string text = screen(run_of(std::move(comparisons)));
  BOOST_TEST(mentions(text, {"preset_0", "more workloads not shown"}));
  BOOST_TEST(lines_in(text).size() == screen_lines);

  std::vector<Measurement> measurements = of_all_tiers(1247);
  for (int i = 0; i < 40; ++i) {
    measurements.push_back(made_up("pool:policy_" + std::to_string(i), 900, 1100));
  }
  const std::string one = screen(run_of({run_on(presets().front(), std::move(measurements))}));
  BOOST_TEST(mentions(one, {"streams ", "more variants not shown"}));
}

/// Returns the variants in the table of a screen of one workload, from top to bottom.
std::vector<std::string> rows_of(const std::string& text) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_in(text)) {
    for (const char* tier : {"same operations", "moved together", "rewritten"}) {
      if (!line.ends_with(tier)) continue;
      rows.push_back(line.substr(0, line.find(' ')));
      break;
    }
  }
  return rows;
}

BOOST_AUTO_TEST_CASE(those_that_matter_are_shown_first_and_in_the_order_of_the_run) {
  std::vector<Measurement> measurements;
  for (int i = 0; i < 40; ++i) {
    measurements.push_back(made_up("pool:policy_" + std::to_string(i), 900, 1300));
    measurements.back().plan.model.mover = Mover::kernels;  // not one of the changes in question
  }
  Measurement broken = with_model("broken", measurements.front().plan.model, 1000);
  broken.status = Status::failed;
  measurements.push_back(broken);
  for (const Measurement& m : of_all_tiers(1247)) measurements.push_back(m);
  Results results = run_of({run_on(presets().front(), std::move(measurements))});
  const std::string text = screen(results);
  const std::vector<std::string> rows = rows_of(text);
  for (const char* name :
       {"broken", "streams", "engines", "graph", "graph_coalesced", "pool", "pool_trim", "fused"}) {
    BOOST_TEST((std::ranges::find(rows, name) != rows.end()), name);
  }
  BOOST_TEST(mentions(line_of(text, "broken "), {"-", "-", "failed"}));
  const auto at = [&](const char* name) { return std::ranges::find(rows, name) - rows.begin(); };
  BOOST_TEST(at("broken") < at("streams"));
  BOOST_TEST(at("streams") < at("engines"));
  BOOST_TEST(at("pool") < at("fused"));
}

BOOST_AUTO_TEST_CASE(the_details_of_the_advice_go_before_the_last_rows) {
  Results results = one_preset();
  burden(results);
  Comparison& comparison = results.comparisons.front();
  std::erase_if(comparison.measurements,
                [](const Measurement& m) { return m.status != Status::ok; });
  comparison.stopped = "precision";
  BOOST_TEST(rows_of(screen(results)).size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_variant_that_failed_on_a_workload_has_no_speed_there) {
  Results results = with_variants({"streams", "malloc", "engines"}, "streams", true);
  Measurement& malloc = results.comparisons[5].measurements[2];
  BOOST_TEST_REQUIRE(malloc.variant == "malloc");
  malloc.status = Status::failed;
  const std::string text = screen(results);
  BOOST_TEST(mentions(line_of(text, "reduce "), {"0.19x"}));
  BOOST_TEST(!contains(line_of(text, "search "), "0.19x"));
}

BOOST_AUTO_TEST_CASE(settings_have_rows_and_an_answer_of_their_own) {
  Results settings = one_preset();
  for (const HostMemory memory : {HostMemory::pageable, HostMemory::write_combined}) {
    settings.comparisons.push_back(settings.comparisons.front());
    settings.comparisons.back().workload.host_memory = memory;
    settings.comparisons.push_back(settings.comparisons.back());
    settings.comparisons.back().wait = Wait::block;
  }
  BOOST_TEST(mentions(screen(settings),
                      {"launch in 5 ways", "launch, pageable, spin", "launch, pageable, block",
                       "Settings?", "streams with pinned/spin 1247 us"}));
}

BOOST_AUTO_TEST_CASE(throughput_and_processes_are_told) {
  Results results = one_preset();
  results.comparisons[0].mode = Mode::throughput;
  results.comparisons[0].batch = 8;
  results.comparisons[0].processes = 5;
  const std::string text = screen(results);
  BOOST_TEST(mentions(on_one_line(text), {"5 processes", "throughput in batches of 8 passes"}));
  BOOST_TEST(!contains(text, "--processes 5"));
  results.comparisons[0].batch = 1;
  const std::string single = on_one_line(screen(results));
  BOOST_TEST(!contains(single, "batch"));
  BOOST_TEST(mentions(single, {"latency", "too long to queue two"}));
}

BOOST_AUTO_TEST_CASE(a_custom_shape_says_that_its_kernels_do_the_least_work) {
  Results results = one_preset();
  const auto told = [&] { return contains(screen(results), "kernels of 1 round"); };
  BOOST_TEST(!told());  // a preset
  results.comparisons[0].workload.name = "custom";
  results.comparisons[0].workload.rounds = 1;
  BOOST_TEST(told());
  results.comparisons[0].requested_kernel_us = 5;
  BOOST_TEST(!told());
}

BOOST_AUTO_TEST_CASE(the_worst_of_everything_still_fits) {
  for (Results results : {one_preset(), all_presets()}) {
    burden(results);
    const std::string text = screen(results);
    BOOST_TEST(text.starts_with("FAILED"));
    BOOST_TEST(mentions(text, {"CUT SHORT", "Graph?", "Doubtful", "More"}));
  }
  Results few = one_preset();
  few.comparisons[0] = run_on(presets().front(), of_all_tiers(1247, 3));
  BOOST_TEST(mentions(screen(few), {"too few rounds", "Too few rounds to tell"}));
  BOOST_TEST(mentions(screen(run_of({})), {"nothing was run"}));
  BOOST_TEST(mentions(screen(run_of({run_on(presets().front(), {}, "")})), {"Nothing was timed"}));
}

BOOST_AUTO_TEST_CASE(the_answers_alone_are_one_line_a_workload_or_two) {
  const std::string text = as_text(answers_page(all_presets()));
  for (const Workload& preset : presets()) {
    BOOST_TEST(mentions(line_of(text, preset.name + " "), {"Use graph: 2.5 times"}));
  }
  BOOST_TEST(mentions(text, {"Graph?", "Pool?", "Engines?"}));
  BOOST_TEST((!contains(text, "Doubtful") && !contains(text, "limit")));
}

BOOST_AUTO_TEST_SUITE_END()
