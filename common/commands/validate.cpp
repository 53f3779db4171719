#include "common/base/console/interrupt.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/profile_pages.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

Results measured_results(const std::string& path) {
  Results results = load_results("validate", path);
  if (results.context.simulated.empty()) return results;
  throw UsageError("validate {}: was simulated; give results of a GPU", in_quotes(path));
}

/// Returns the variants of a measured comparison that this program has and the simulated device
/// models. Excludes variants with one of several pool policies, which have names of their own.
std::vector<std::string> variants_to_predict(const Comparison& measured) {
  std::vector<std::string> names;
  for (const VariantEntry& entry : registry()) {
    const Measurement* const m = find_variant(measured, entry.name);
    if (m && was_timed(*m) && is_modelled(m->plan.model)) names.push_back(entry.name);
  }
  return names;
}

Comparison predicted(const Comparison& measured, const Device& device) {
  ComparisonSettings settings{.effort = Effort::predict,
                              .variants = variants_to_predict(measured),
                              .reference = measured.reference,
                              .mode = measured.mode,
                              .seed = measured.seed};
  warm_process(contenders(settings), device.memory_pools);
  return compare_variants(measured.workload, settings, device, {});
}

/// Returns "NVIDIA H200, revision 93c4310c20b8, 2026-11-21". Throws UsageError if the GPUs differ.
std::string origin_of(const std::vector<Results>& all) {
  const auto gpu = [](const Results& results) { return value_of(results.context.gpu, "name"); };
  for (const Results& results : all) {
    if (gpu(results) == gpu(all.front())) continue;
    throw UsageError("validate: one file is of {}, another of {}; give those of one kind of GPU",
                     gpu(all.front()), gpu(results));
  }
  const Context& context = all.front().context;
  return fmt::format("{}, revision {}, {}", gpu(all.front()), context.git_revision,
                     context.started.substr(0, 10));
}

int validate(const Given& given, const Caller&) {
  const DeviceOptions asked = read_device(given);
  const std::string& path = given.operands().back();
  const auto paths = std::span(given.operands()).first(given.operands().size() - 1);
  std::vector<NamedFile> inputs{{"--profile", asked.profile}};
  for (const std::string& results : paths) inputs.push_back({"validate", results});
  check_files({{"validate", path}}, inputs);
  start_device(asked, 1);
  const InterruptGuard guard;
  Profile profile = *profile_in_use();
  Console console({{"validate", path, [&] { return to_json(profile); }}}, given.has("force"));
  const std::vector<Results> measured = transformed(paths, measured_results);
  const std::string origin = origin_of(measured);
  const Device device = open_device(asked.number, Wait::spin);
  std::vector<Comparison> here, there;
  for (const Results& results : measured) {
    for (const Comparison& comparison : results.comparisons) {
      if (!why_not_modelled(comparison.workload.host_memory, comparison.wait).empty()) continue;
      here.push_back(comparison);
      there.push_back(predicted(comparison, device));
      stop_if_interrupted();
    }
  }
  profile.error = fitted_error(here, there);
  profile.error->measured = origin;
  profile.error->predicted = start_context(device, "", simulated_profile()).git_revision;
  return console.finish(as_text(error_page(*profile.error)));
}

}  // namespace

Command validate_command() {
  return {.name = "validate",
          .operands = {"RESULTS... PROFILE", 2, 100, Value::file},
          .summary = "measure the error of predictions, and add it to a profile",
          .about =
              "RESULTS are files from trilane run --json, measured on the GPU of the profile in "
              "use. trilane-sim predicts the same times and writes the profile, with the errors "
              "found, to PROFILE. Predictions with that profile state the error.",
          .examples = {"validate results.json drawn.json profile.json"},
          .groups = {{"Options", {option::device, option::force}}},
          .programs = Programs::simulated,
          .run = validate};
}

}  // namespace trilane
