// trilane-sim as a user runs it: it needs no GPU, and always says that it is simulated.
// Calibrations are made on a GPU, too.
#include "common/device/profile/profile.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

BOOST_FIXTURE_TEST_SUITE(simulated, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

/// Runs a prediction that leaves its results in `results.json` and `results.csv`.
Outcome run(const Words& words = {}) {
  return run_without_gpu(joined(words, {"--preset", "launch", "--time", "10ms", "--json",
                                        "results.json", "--csv", "results.csv", "--force"}));
}

/// For runs with data and rounds, which take long: a quarter of the chunks.
const Words fewer{"--chunks", "16"};

/// Does the same as run() with data and rounds.
Outcome run_checked(const Words& words = {}) {
  return run(joined(joined(words, fewer), {"--check"}));
}

/// Returns the comparisons without what differs on another day.
std::string figures() {
  Results results = from_json(content_of_file("results.json"));
  results.context = {};
  return to_json(results);
}

BOOST_AUTO_TEST_CASE(every_place_that_shows_a_time_says_simulated_with_the_profile) {
  const Outcome outcome = run().ended(0);
  const Results results = from_json(content_of_file("results.json"));
  const std::string profile = results.context.simulated;
  BOOST_TEST_CONTEXT(outcome.out) {
    BOOST_TEST(profile.starts_with("NVIDIA H200"));
    BOOST_TEST(outcome.out.starts_with(fmt::format("Simulated {}: launch, {} variants", profile,
                                                   results.comparisons.at(0).measurements.size())));
    BOOST_TEST(contains(outcome.out, "speed [model's error]"));
  }
  BOOST_TEST(results.comparisons.at(0).verdict.starts_with("launch, simulated " + profile));
  BOOST_TEST(contains(content_of_file("results.json"), "\"name\": \"NVIDIA H200 (simulated)\""));
  std::istringstream csv(content_of_file("results.csv"));
  std::string line;
  std::getline(csv, line);
  BOOST_TEST(line.ends_with(",simulated"));
  while (std::getline(csv, line)) BOOST_REQUIRE(line.ends_with("," + profile));
  for (const char* page : {"--all", "--bounds", "--setup"}) {
    const Outcome more = run_without_gpu({"show", "results.json", page});
    BOOST_TEST_CONTEXT(more.out) BOOST_TEST(contains(more.out, "imulated"));
  }
  BOOST_TEST(!contains(outcome.out, "measured"));
}

/// Runs the simulated GPUs, and returns the results.
Results run_gpus(const Words& words, int code = 0) {
  const Outcome outcome =
      run_checked(joined({"--variant", "streams,graph,threads", "--device", "all"}, words));
  BOOST_TEST_CONTEXT(outcome.err << outcome.out) BOOST_TEST(outcome.code == code);
  return from_json(content_of_file("results.json"));
}

BOOST_AUTO_TEST_CASE(gpus_are_measured_alone_in_processes_and_in_one_process) {
  for (const std::uint32_t gpus : {2u, 3u}) {
    const Results results = run_gpus({"--gpus", std::to_string(gpus)});
    BOOST_TEST_REQUIRE(results.comparisons.size() == 3 * gpus);
    for (std::uint32_t i = 0; i < 3 * gpus; ++i) {
      const Comparison& comparison = results.comparisons[i];
      const Placement place = comparison.placement.value();
      BOOST_TEST(place.device == i % gpus);
      BOOST_TEST(place.beside == (i < gpus ? 0 : gpus - 1));
      BOOST_TEST(place.one_process == (i >= 2 * gpus));
      for (const Measurement& m : comparison.measurements) {
        BOOST_TEST_CONTEXT(m.variant << ": " << m.message) {
          BOOST_TEST((m.status == Status::ok));
          BOOST_TEST(m.over_processes.has_value() == place.one_process);
        }
      }
    }
    const Outcome shown = run_without_gpu({"show", "results.json"});
    BOOST_TEST_CONTEXT(shown.out) BOOST_TEST(contains(shown.out, "One process: "));
  }
}

BOOST_AUTO_TEST_CASE(host_threads_of_several_gpus_repeat_themselves) {
  const Words threads{"--gpus", "2", "--together", "threads", "--seed", "7"};
  run_gpus(threads);
  const std::string first = figures();
  run_gpus(threads);
  BOOST_TEST((figures() == first));
}

BOOST_AUTO_TEST_CASE(host_threads_of_several_gpus_show_the_progress_of_one) {
  const Outcome outcome = run({"--gpus", "3", "--device", "all", "--together", "threads"});
  const std::string shown = outcome.ended(0).err;
  BOOST_TEST(contains(shown, "[1/1] launch"), shown);
  BOOST_TEST(shown.find("[1/1]") == shown.rfind("[1/1]"), shown);
}

BOOST_AUTO_TEST_CASE(a_gpu_whose_host_thread_fails_is_named_and_costs_the_others_nothing) {
  // The first calls are of thread 0 and thread 1 in turn.
  const Results results = run_gpus({"--gpus", "3", "--together", "threads", "--fault", "8=101"}, 3);
  BOOST_TEST(results.comparisons.size() == 2u);
  for (const Comparison& comparison : results.comparisons) {
    BOOST_TEST(!any_with(Status::failed, comparison));
    BOOST_TEST(any_with(Status::ok, comparison));
  }
  BOOST_TEST(std::ranges::any_of(results.context.notes, [](const std::string& note) {
    return note.starts_with("GPU ") && contains(note, "was not measured at once with the others");
  }));
}

BOOST_AUTO_TEST_CASE(a_split_pass_is_checked_beside_the_one_on_the_first_gpu) {
  const Words words{"--gpus", "3", "--split", "--chunks", "12", "--chunk-size", "1M"};
  for (const Words& checked : {Words{}, Words{"--check"}}) {
    BOOST_TEST(contains(run(joined(words, checked)).ended(0).out, "split over 3"));
    const Results results = from_json(content_of_file("results.json"));
    const std::string said = results.answers.back().text;
    BOOST_TEST(contains(said, "Links are not shared: 3 at once copy "), said);
    BOOST_TEST_REQUIRE(results.comparisons.size() == 2u);
    BOOST_TEST(!results.comparisons[0].workload.gpus);
    BOOST_TEST((results.comparisons[1].workload.gpus.value() == std::vector{0u, 1u, 2u}));
    for (const Measurement& m : results.comparisons[1].measurements) {
      BOOST_TEST_CONTEXT(m.variant) {
        BOOST_TEST((m.status == Status::ok));
        BOOST_TEST((m.checked_passes > 0) == !checked.empty());
        BOOST_TEST(m.over_one_gpu.has_value());
      }
    }
    BOOST_TEST(contains(run_without_gpu({"show", "results.json"}).out, "3 GPUs, us"));
    BOOST_TEST(contains(run_without_gpu({"show", "results.json", "--bounds"}).out, "efficiency "));
  }
  run({"--gpus", "3", "--split", "--device", "2,0", "--variant", "graph"}).ended(0);
  BOOST_TEST((from_json(content_of_file("results.json")).comparisons.at(1).workload.gpus.value() ==
              std::vector{2u, 0u}));
}

BOOST_AUTO_TEST_CASE(results_are_the_same_to_the_last_digit) {
  run({"--seed", "7"});
  const std::string first = figures();
  run({"--seed", "7"});
  BOOST_TEST((figures() == first));
}

BOOST_AUTO_TEST_CASE(a_prediction_is_not_checked_and_carries_the_models_error) {
  const Outcome outcome = run();
  BOOST_TEST(contains(outcome.out, "not checked"), outcome.out);
  BOOST_TEST(!contains(outcome.out, "95% interval"), outcome.out);
  const Comparison launch = from_json(content_of_file("results.json")).comparisons.at(0);
  BOOST_TEST(launch.stopped == "predicted");
  for (const Measurement& m : launch.measurements) {
    BOOST_TEST_INFO_SCOPE(m.variant);
    BOOST_TEST(m.checked_passes == 0u);
    BOOST_TEST(m.samples.size() == 1u);
    BOOST_TEST(m.prediction.has_value());
    if (!m.ratio) continue;
    BOOST_TEST((m.ratio->covers == Covers::model_error));
    if (m.break_even) BOOST_TEST((m.break_even->covers == Covers::model_error));
    if (m.ratio->tie()) BOOST_TEST(!m.break_even.has_value());
  }
  // The advice has a gain beyond the error.
  BOOST_TEST(launch.advice.value().ratio.value().high < 1);
}

BOOST_AUTO_TEST_CASE(a_check_finds_every_variant_right_in_the_time_that_was_predicted) {
  run(fewer);
  const Comparison predicted = from_json(content_of_file("results.json")).comparisons.at(0);
  run_checked();
  const Comparison checked = from_json(content_of_file("results.json")).comparisons.at(0);
  BOOST_TEST(checked.measurements.size() >= 6u);
  BOOST_TEST_REQUIRE(checked.measurements.size() == predicted.measurements.size());
  for (std::size_t i = 0; i < predicted.measurements.size(); ++i) {
    const Measurement &one = predicted.measurements[i], &other = checked.measurements[i];
    BOOST_TEST_INFO_SCOPE(one.variant << ": " << other.message);
    BOOST_TEST((other.status == Status::ok));
    BOOST_TEST(other.checked_passes >= 3u);
    // A check has all variants in one process, where small blocks of others keep malloc's page.
    if (one.plan.model.scratch != ScratchSource::cuda_malloc) {
      BOOST_TEST(one.wall.value().median == other.wall.value().median,
                 boost::test_tools::tolerance(1e-4));  // files have nanoseconds
    }
    BOOST_TEST((other.prediction.has_value() &&
                (!other.ratio || other.ratio->covers == Covers::model_error)));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_modelled_is_refused) {
  for (const auto& [option, value] :
       {std::pair{"--wait", "block"}, {"--host-memory", "write-combined"}}) {
    const Outcome outcome = run({option, value}).ended(4);
    BOOST_TEST(outcome.says(std::string(option) + " " + value + ": the simulated device"),
               outcome.err);
  }
}

BOOST_AUTO_TEST_CASE(a_proof_of_break_even_needs_the_check) {
  const Outcome outcome = run({"--prove-break-even"}).ended(2);
  BOOST_TEST(outcome.says("needs --check"), outcome.err);
}

BOOST_AUTO_TEST_CASE(a_validated_profile_holds_how_far_its_predictions_are_off) {
  BOOST_TEST(run().code == 0);
  const Outcome simulated = run_program({"validate", "results.json", "profile.json"}).ended(2);
  BOOST_TEST(simulated.says("was simulated"), simulated.err);

  Results measured = from_json(content_of_file("results.json"));
  measured.context.simulated.clear();
  for (Measurement& m : measured.comparisons.at(0).measurements) {
    m.prediction.reset();
    if (m.variant != "graph") continue;
    for (Sample& sample : m.samples) sample.wall_us *= 1.5;  // as if the model were that far off
  }
  std::ofstream("measured.json") << to_json(measured);
  const Outcome outcome = run_program({"validate", "measured.json", "profile.json"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST_REQUIRE(outcome.code == 0);
  const ModelError error = load_profile("profile.json").error.value();
  BOOST_TEST(error.same_operations->factor == 1.5, boost::test_tools::tolerance(0.01));
  BOOST_TEST(error.moved_together->factor < 1.5);
  BOOST_TEST(contains(outcome.out, " 1.50"), outcome.out);
  BOOST_TEST(run_program({"validate", "measured.json", "measured.json", "two.json"}).code == 0);
  BOOST_TEST(load_profile("two.json").error->same_operations->cases ==
             2 * error.same_operations->cases);
  measured.context.gpu.front().second = "Other";
  std::ofstream("other.json") << to_json(measured);
  check_refused(run_program({"validate", "measured.json", "other.json", "three.json"}),
                "of one kind of GPU");
  BOOST_TEST(run({"--profile", "profile.json"}).code == 0);
}

BOOST_AUTO_TEST_CASE(drawn_workloads_are_the_same_in_every_process_and_can_be_shown) {
  const Words drawn{"--drawn", "2:7", "--variant", "streams,graph", "--processes", "2"};
  BOOST_TEST(run_program(joined(drawn, {"--json", "drawn.json"})).code == 0);
  const Results results = from_json(content_of_file("drawn.json"));
  BOOST_TEST(results.comparisons.size() == 2u);
  BOOST_TEST(results.comparisons.at(0).processes == 2u);
  const Outcome shown = run_program({"show", "drawn.json", "drawn-2", "--bounds"}).ended(0);
  BOOST_TEST(contains(shown.out, results.comparisons.at(1).workload.shape()));
}

/// The simulated device has no noise: predictions about it come true.
BOOST_AUTO_TEST_CASE(variants_are_priced_and_break_even_where_it_is_foretold) {
  const Outcome outcome = run_checked(
      {"--prove-break-even", "--variant", "serial,streams,graph,graph_coalesced,pool,fused"});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(contains(run_without_gpu({"show", "results.json", "--setup"}).out,
                      "\n- Break-even by real sequences of passes: "));
  const Results results = from_json(content_of_file("results.json"));
  std::size_t crossings = 0;
  for (const Measurement& m : results.comparisons.at(0).measurements) {
    BOOST_TEST_INFO_SCOPE(m.variant);
    BOOST_TEST_REQUIRE(m.price.has_value());
    BOOST_TEST(m.price->setup_us.size() >= 6u);
    BOOST_TEST(m.price->device_bytes.size() == m.price->setup_us.size());
    BOOST_TEST(m.break_even.has_value() == (m.ratio && decides(*m.ratio) && !m.ratio->tie()));
    if (!m.break_even || !m.break_even->crossing) continue;
    ++crossings;
    BOOST_TEST(m.break_even->crossing->passes.value() == m.break_even->passes.value(),
               boost::test_tools::tolerance(0.05));
  }
  BOOST_TEST(crossings >= 2u);
  BOOST_TEST(results.comparisons[0].advice.value().device_bytes.has_value());
}

BOOST_AUTO_TEST_CASE(every_variant_has_a_bound_and_the_pass_a_best_cut) {
  BOOST_TEST(run().code == 0);
  const Comparison launch = from_json(content_of_file("results.json")).comparisons.at(0);
  for (const Measurement& m : launch.measurements) {
    BOOST_TEST_INFO_SCOPE(m.variant);
    BOOST_TEST(m.bound_by.has_value());
    BOOST_TEST(m.efficiency.value() == m.bound_us.value() / m.wall.value().median,
               boost::test_tools::tolerance(1e-9));
  }
  BOOST_TEST(launch.limit.value().best.value().bound_us <= launch.limit->bound_us);
  // The model takes the calls' costs from its profile, and adds nothing.
  const auto streams = std::ranges::find(launch.measurements, "streams", &Measurement::variant);
  BOOST_TEST((streams->bound_by == Limiter::host_submission));
  BOOST_TEST(streams->bound_us.value() == streams->submit.value().median,
             boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(a_fault_is_an_error_of_the_runtime) {
  const Outcome outcome = run({"--fault", "30000=700"}).ended(1);
  const Results results = from_json(content_of_file("results.json"));
  BOOST_TEST(results.comparisons.at(0).stopped == "lost");
  std::size_t failed = 0;
  for (const Measurement& m : results.comparisons[0].measurements) {
    BOOST_TEST((m.status == Status::failed || m.status == Status::not_run));
    if (m.status == Status::failed && contains(m.message, "cudaErrorIllegalAddress (700)"))
      ++failed;
  }
  BOOST_TEST(failed == 1u);
}

BOOST_AUTO_TEST_CASE(a_variant_ties_with_itself_and_not_with_one_slowed_down) {
  const Words aa{"aa", "streams", "--preset", "launch", "--repeat", "3", "--markdown"};
  const Outcome plain = run_without_gpu(aa).ended(0);
  BOOST_TEST(contains(plain.out, "streams against streams_again, simulated NVIDIA H200"));
  BOOST_TEST(contains(plain.out, " 3 of 3 "));
  BOOST_TEST(!contains(plain.out, "found"));

  const Words slowed = joined(aa, {"--slow-down", "1%", "--json", "slowed.json", "--seed", "5"});
  const Outcome found = run_without_gpu(slowed).ended(0);
  BOOST_TEST(contains(found.out, "slowed down by 1%"));
  BOOST_TEST(contains(found.out, " 3 of 3 "));
  BOOST_TEST(contains(found.out, " 1.0100 "));
  const Results results = from_json(content_of_file("slowed.json"));
  BOOST_TEST(results.comparisons.size() == 3u);
  BOOST_TEST(results.comparisons.at(2).seed == 7u);
  for (const Comparison& comparison : results.comparisons) {
    BOOST_TEST(comparison.slow_down == 0.01);
    BOOST_TEST(std::abs(comparison.measurements.at(1).ratio->estimate - 1.01) < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(a_calibrated_profile_can_be_used) {
  BOOST_TEST(run_program({"calibrate", "profile.json"}).code == 0);
  const Outcome outcome = run({"--profile", "profile.json"}).ended(0);
  BOOST_TEST(from_json(content_of_file("results.json"))
                 .context.simulated.starts_with("NVIDIA H200 (simulated)"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(calibrate_on_a_gpu, Workplace, *boost::unit_test::precondition(has_gpu))

/// Checks that a profile of the simulated device says what it is.
void check_profile(const Profile& profile) {
  BOOST_TEST(profile.name.ends_with(" (simulated)") == is_simulated());
  BOOST_TEST(profile.calibrated.starts_with("20"));
  BOOST_TEST(!profile.revision.empty());
  BOOST_TEST(profile.multiprocessors > 0);
}

BOOST_AUTO_TEST_CASE(a_calibration_leaves_a_profile_and_says_so) {
  const Outcome outcome = run_program({"calibrate", "profile.json"});
  BOOST_TEST_INFO_SCOPE(outcome.err << outcome.out);
  BOOST_TEST_REQUIRE(outcome.code == 0);
  const Profile profile = load_profile("profile.json");
  check_profile(profile);
  BOOST_TEST(outcome.out.starts_with(profile.name + " calibrated in "));
  BOOST_TEST(contains(outcome.out, " s: 'profile.json'\n"));
}

BOOST_AUTO_TEST_CASE(a_profile_stands_alone_on_standard_output) {
  const Outcome outcome = run_program({"calibrate", "-"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST_REQUIRE(outcome.code == 0);
  BOOST_TEST(outcome.says(" calibrated in "));
  check_profile(read_profile(outcome.out, "-"));
}

BOOST_AUTO_TEST_SUITE_END()
