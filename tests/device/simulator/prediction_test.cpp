// Predictions without data against checked passes, and unmodelled features.
#include "common/base/text/exit_code.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/pricing.hpp"
#include "common/model/results/find.hpp"
#include "common/model/workload/knobs.hpp"
#include "tests/base/refusal.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(prediction)

namespace {

constexpr double same_us = 1e-6;  // times are differences of a clock of seconds, in doubles

Comparison predicted(const Workload& workload) {
  ComparisonSettings settings{.effort = Effort::predict, .variants = names_of(registry())};
  settings.reference = "streams";
  const Device device = open_device(0, Wait::spin);
  warm_process(registry(), device.memory_pools);
  return compare_variants(workload, settings, device, {});
}

void check_sample(const Sample& foretold, const Sample& found) {
  for (const auto clock : {&Sample::submit_us, &Sample::device_us, &Sample::wall_us}) {
    BOOST_TEST(std::abs(foretold.*clock - found.*clock) < same_us);
  }
}

/// Sets the variant up, checks two passes of it on data, and takes a sample.
Sample sample_after_checks(CudaBench& bench, std::size_t variant) {
  bench.set_up(variant);
  BOOST_TEST(bench.check(variant, 1) == "");
  BOOST_TEST(bench.check(variant, 1) == "");
  const Sample sample = bench.sample(variant, 1);
  bench.tear_down(variant);
  return sample;
}

/// Returns a quarter of the chunks, of at most 1 MiB, because each variant's passes are checked.
Workload cut_down(const Workload& whole) {
  Knobs size, chunk_size;
  size.size = whole.bytes / 4;
  chunk_size.chunk_size = std::min<std::uint64_t>(whole.chunk_bytes, 1 << 20);
  return turned(turned(whole, size), chunk_size);
}

Profile with_error(std::optional<ModelError> error) {
  Profile profile = simulator::built_in_profile();
  profile.error = std::move(error);
  return profile;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_predicted_pass_takes_as_long_as_a_pass_among_checked_ones) {
  for (const Workload& whole : presets()) {
    const Workload preset = cut_down(whole);
    start_simulation({});
    const Comparison foretold = predicted(preset);
    CudaBench bench(preset, registry(), 1);
    for (std::size_t variant = 0; variant < registry().size(); ++variant) {
      const Measurement& m = foretold.measurements[variant];
      BOOST_TEST_CONTEXT(m.variant << " on " << preset.name << ": " << m.message) {
        BOOST_TEST_REQUIRE(m.samples.size() == 1u);
        BOOST_TEST(m.checked_passes == 0u);
        check_sample(m.samples.front(), sample_after_checks(bench, variant));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_prediction_moves_no_data_and_leaves_nothing_behind) {
  start_simulation({});
  std::vector<std::string> copied;
  simulator::machine().on_execute = [&](const simulator::Operation& operation) {
    if (operation.moves_data) copied.push_back(operation.lane);
  };
  predicted(shape("small", 4 * 256, 256, 256, 2));
  simulator::machine().on_execute = nullptr;
  BOOST_TEST(copied == std::vector<std::string>{}, boost::test_tools::per_element());
  BOOST_TEST(simulator::machine().leaks() == std::vector<std::string>{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_ratio_has_the_models_error_and_nothing_inside_it_is_a_winner) {
  simulator::restart({.profile = with_error(ModelError{.same_operations = ErrorFactor{9, 1e6},
                                                       .moved_together = ErrorFactor{9, 1e6},
                                                       .rewritten = ErrorFactor{9, 1e6}})});
  const Comparison launch = predicted(presets().front());
  for (const Measurement& m : launch.measurements) {
    if (m.variant == "streams") continue;
    BOOST_TEST_CONTEXT(m.variant) {
      BOOST_TEST((m.ratio.value().covers == Covers::model_error));
      BOOST_TEST(m.ratio->tie());
      BOOST_TEST(!m.break_even.has_value());
    }
  }
  BOOST_TEST(launch.advice.value().use == "streams");
  BOOST_TEST(launch.winners.front().variant == "streams");
}

BOOST_AUTO_TEST_CASE(a_ratio_has_the_error_of_its_bottleneck_if_there_were_enough_cases) {
  const auto errors = [](std::uint64_t cases, double factor) {
    return RatioErrors{.same_operations = ErrorFactor{cases, factor}};
  };
  for (const std::uint64_t cases : {20, 19}) {
    simulator::restart({.profile = with_error(ModelError{.same_operations = ErrorFactor{9, 1.25},
                                                         .kernels = errors(cases, 1.01),
                                                         .copies = errors(cases, 1.02),
                                                         .overheads = errors(cases, 2)})});
    for (const auto& [name, factor] :
         {std::pair("compute", 1.01), {"transfer", 1.02}, {"launch", 2}}) {
      const Workload& preset = *std::ranges::find(presets(), name, &Workload::name);
      const Comparison found = predicted(preset);
      BOOST_TEST_CONTEXT(name << ", " << cases << " cases") {
        BOOST_TEST(find_variant(found, "graph")->prediction->ratio_error.value() ==
                   (cases == 20 ? factor : 1.25));
        BOOST_TEST(!find_variant(found, "graph_early")->prediction->ratio_error.has_value());
      }
    }
  }
  start_simulation({});
}

BOOST_AUTO_TEST_CASE(a_changed_profile_is_used_and_said) {
  SimulationSettings changed{.profile = {}, .fault = {}};
  changed.change = [](Profile& profile) {
    profile.calls_us["cudaGraphLaunch"] = 1000;
    profile.name += " with slow launches";
  };
  start_simulation(changed);
  BOOST_TEST(simulated_profile().starts_with("NVIDIA H200 with slow launches (profile"));
  const Comparison launch = predicted(presets().front());
  BOOST_TEST(find_variant(launch, "graph")->samples.front().submit_us > 1000);
  start_simulation({});
  BOOST_TEST(simulated_profile().starts_with("NVIDIA H200 (profile"));
}

BOOST_AUTO_TEST_CASE(a_profile_without_an_error_tells_nothing_apart) {
  simulator::restart({.profile = with_error({})});
  const Comparison launch = predicted(presets().front());
  BOOST_TEST(!launch.advice.has_value());
  BOOST_TEST(launch.verdict.find("does not give the model's error") != std::string::npos,
             launch.verdict);
}

BOOST_AUTO_TEST_CASE(the_error_of_a_variant_is_that_of_its_tier_if_it_is_modelled) {
  simulator::restart({.profile = with_error(ModelError{.same_operations = ErrorFactor{9, 1.25},
                                                       .rewritten = ErrorFactor{9, 2}})});
  const auto error_of = [](Issuer issuer, Mover mover, Chaining chaining = Chaining::lanes) {
    return prediction_of({issuer, chaining, ScratchSource::lane, mover})->ratio_error;
  };
  BOOST_TEST(error_of(Issuer::host, Mover::engines_per_chunk).value() == 1.25);
  BOOST_TEST(error_of(Issuer::graph, Mover::kernels).value() == 2);
  BOOST_TEST(!error_of(Issuer::graph, Mover::engines_per_pass).has_value());
  BOOST_TEST(error_of(Issuer::host_threads, Mover::engines_per_chunk).value() == 1.25);
  BOOST_TEST(!error_of(Issuer::graph, Mover::engines_per_chunk, Chaining::lanes_early).has_value());
}

BOOST_AUTO_TEST_CASE(what_would_be_timed_as_something_else_is_refused) {
  Workload workload = presets().front();
  BOOST_CHECK_NO_THROW(ensure_modelled(workload, Wait::spin));
  for (const Wait wait : {Wait::yield, Wait::block}) {
    const std::string said = refusal<NotPossible>([&] { ensure_modelled(workload, wait); });
    BOOST_TEST(said.starts_with(std::string("--wait ") + name_of(wait)), said);
  }
  workload.host_memory = HostMemory::pageable;
  BOOST_CHECK_NO_THROW(ensure_modelled(workload, Wait::spin));
  workload.host_memory = HostMemory::write_combined;
  const std::string said = refusal<NotPossible>([&] { ensure_modelled(workload, Wait::spin); });
  BOOST_TEST(said.starts_with("--host-memory write-combined"), said);
}

BOOST_AUTO_TEST_CASE(what_is_left_out_stands_beside_the_figures) {
  Workload workload = presets().front();
  workload.lanes = 8;
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
  BOOST_TEST(left_out(workload).empty());
  workload.lanes = 9;
  BOOST_TEST(left_out(workload).size() == 1u);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
  BOOST_TEST(left_out(workload).size() == 2u);
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
}

BOOST_AUTO_TEST_SUITE_END()
