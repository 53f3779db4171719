#include "common/commands/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "common/commands/options/given.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

/// Enough for the minimum of 20 rounds: a round of two variants with passes of 1 ms takes 18 ms.
constexpr double short_comparison_seconds = 0.4;
constexpr double sweep_seconds = 300;

constexpr char no_file[] = "names no file; give one, or - for standard output";

Mode read_mode(const Given& given) {
  const auto name = given.one_of("mode", {"latency", "throughput"});
  return name == "throughput" ? Mode::throughput : Mode::latency;
}

std::vector<std::string> arguments_of_child(const Given& given) {
  constexpr std::array own{"processes", "host-memory", "wait", "seed", "json", "csv", "force"};
  std::vector<std::string> words;
  for (const auto& [name, text] : given.all()) {
    if (std::ranges::find(own, name) != own.end()) continue;
    words.push_back(text.empty() ? "--" + name : fmt::format("--{}={}", name, text));
  }
  return words;
}

std::string read_reference(const Given& given, const std::vector<std::string>& known,
                           const std::vector<std::string>& chosen) {
  const auto is_chosen = [&](const std::string& name) {
    return std::ranges::find(chosen, name) != chosen.end();
  };
  const auto name = given.one_of("reference", known);
  if (!name) return is_chosen("streams") ? "streams" : "";
  if (!is_chosen(*name)) {
    refuse("--reference", *name,
           fmt::format("is not measured; add it to --variant or choose from {}",
                       fmt::join(chosen, ", ")));
  }
  return *name;
}

/// Several policies; a single one belongs to the workload, see chosen_workloads().
std::vector<NamedPolicy> several_policies(const Given& given) {
  auto policies = given.read("pool", parse_policies).value_or(std::vector<NamedPolicy>{});
  if (policies.size() < 2) policies.clear();
  return policies;
}

/// Compares one variant with itself, in place of the chosen ones.
void read_aa(const Given& given, const std::vector<std::string>& known, Options& options) {
  const auto name = given.one_of("aa", known);
  if (!name) return;
  ComparisonSettings& comparison = options.comparison;
  comparison.variants = {*name};
  comparison.reference = *name;
  comparison.with_itself = true;
  comparison.slow_down = given.share("slow-down", 1e-5, 1).value_or(0);
  options.repeat = given.count("repeat", 1u, 100'000u).value_or(0);
  if (options.repeat == 0) return;
  comparison.only_intervals = true;
  comparison.seconds = short_comparison_seconds;
}

ComparisonSettings read_comparison(const Given& given, const std::vector<std::string>& known) {
  ComparisonSettings comparison;
  const bool sweeps = given.has("sweep");
  comparison.variants =
      given.some_of("variant", known).value_or(sweeps ? main_variants(known) : known);
  comparison.reference = read_reference(given, known, comparison.variants);
  comparison.policies = several_policies(given);
  comparison.mode = read_mode(given);
  comparison.kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0);
  if (sweeps) comparison.seconds = sweep_seconds;
  comparison.precision = given.share("precision", 1e-5, 1).value_or(comparison.precision);
  comparison.prove_break_even = given.has("prove-break-even");
  if (comparison.reference.empty()) {
    given.forbid("prove-break-even",
                 "there is no reference to break even with; name one with --reference");
  }
  comparison.seed = given.count("seed", std::uint64_t{0}, std::uint64_t{1} << 63).value_or(1);
  return comparison;
}

Action read_action(const Given& given) {
  if (given.has("help")) return Action::help;
  if (given.has("version")) return Action::version;
  if (given.has("list")) return Action::list;
  if (given.has("calibrate")) return Action::calibrate;
  if (given.has("sweep")) return Action::sweep;
  if (given.has("compare")) return Action::diff;
  return given.has("dry-run") ? Action::dry_run : Action::measure;
}

}  // namespace

Options parse_options(std::span<const char* const> arguments, std::span<const std::string> variants,
                      bool simulated) {
  const Given given(arguments);
  Options options;
  options.action = read_action(given);
  constexpr std::array about_itself{Action::help, Action::version, Action::list};
  if (std::ranges::find(about_itself, options.action) != about_itself.end()) return options;

  check_conflicts(given, simulated);
  options.given = given.all();
  options.json = given.text_or_refuse("json", no_file);
  options.force = given.has("force");
  if (options.action == Action::diff) {
    options.diff = read_diff(given);
    return options;
  }
  if (options.action == Action::sweep) {
    options.sweep = read_sweep(given);
  } else {
    options.workloads = chosen_workloads(given);
  }
  const std::vector<std::string> known(variants.begin(), variants.end());
  options.comparison = read_comparison(given, known);
  read_aa(given, known, options);
  options.processes = {.count = given.count("processes", 1u, 1000u).value_or(1),
                       .settings = chosen_settings(given),
                       .arguments = arguments_of_child(given)};
  options.comparison.wait = options.processes.settings.front().wait;
  const auto time_us = given.time_us("time", 24 * 3600e6);
  if (time_us) options.comparison.seconds = *time_us / 1e6;
  options.device = given.count("device", 0, 1023).value_or(options.device);
  options.csv = given.text_or_refuse("csv", no_file);
  options.trace = given.text_or_refuse("trace", no_file);
  options.calibrate = given.text_or_refuse("calibrate", no_file);
  options.profile = given.text_or_refuse("profile", "names no file; give one");
  options.fault = given.text_or_refuse("fault", "is not a fault; write NUMBER=CODE, like 100=700");
  return options;
}

}  // namespace trilane
