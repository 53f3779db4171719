#include "common/commands/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "common/commands/options/chosen_settings.hpp"
#include "common/commands/options/chosen_workloads.hpp"
#include "common/commands/options/conflicts.hpp"
#include "common/commands/options/diff_options.hpp"
#include "common/commands/options/given.hpp"
#include "common/commands/options/sweep_options.hpp"
#include "common/text/choice.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

/// A round of two variants with passes of 1 ms takes 18 ms: enough for the 20 that are the fewest.
constexpr double short_comparison_seconds = 0.4;
constexpr double sweep_seconds = 300;

Mode read_mode(const std::string& option, const std::string& text) {
  constexpr std::array modes{Mode::latency, Mode::throughput};
  return modes[parse_choice(option, text, {"latency", "throughput"})];
}

double read_kernel_time(const std::string& option, const std::string& text) {
  return parse_time_us(option, text, 0, max_kernel_time_us);
}

double read_seconds(const std::string& option, const std::string& text) {
  return parse_time_us(option, text, 0, 24 * 3600e6) / 1e6;
}

double read_precision(const std::string& option, const std::string& text) {
  return parse_percent(option, text, 1e-5, 1);
}

std::uint64_t read_seed(const std::string& option, const std::string& text) {
  return parse_count(option, text, 0, 1ull << 63);
}

int read_device(const std::string& option, const std::string& text) {
  return static_cast<int>(parse_count(option, text, 0, 1023));
}

std::string read_input(const std::string& option, const std::string& text) {
  if (text.empty()) refuse(option, text, "names no file; give one");
  return text;
}

std::string read_fault(const std::string& option, const std::string& text) {
  if (text.empty()) refuse(option, text, "is no fault; write it like 100=700, NUMBER=CODE");
  return text;
}

std::string read_path(const std::string& option, const std::string& text) {
  if (text.empty()) refuse(option, text, "names no file; give one, or - for standard output");
  return text;
}

std::vector<std::string> read_variants(const Given& given, const std::vector<std::string>& known) {
  const auto fallback = given.has("sweep") ? main_variants(known) : known;
  const auto read = [&](const std::string& option, const std::string& text) {
    return parse_names(option, text, known);
  };
  return given.read("variant", read).value_or(fallback);
}

std::uint32_t read_repeat(const std::string& option, const std::string& text) {
  return static_cast<std::uint32_t>(parse_count(option, text, 1, 100'000));
}

std::uint32_t read_processes(const std::string& option, const std::string& text) {
  return static_cast<std::uint32_t>(parse_count(option, text, 1, 1000));
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

double read_slow_down(const std::string& option, const std::string& text) {
  return parse_percent(option, text, 1e-5, 1);
}

/// One variant twice, in the place of those that were chosen.
void read_aa(const Given& given, const std::vector<std::string>& known, Options& options) {
  if (!given.has("aa")) return;
  const auto read = [&](const std::string& option, const std::string& text) {
    return known[parse_choice(option, text, known)];
  };
  const std::string name = *given.read("aa", read);
  options.comparison.variants = {name};
  options.comparison.reference = name;
  options.comparison.with_itself = true;
  options.repeat = given.read("repeat", read_repeat).value_or(0);
  options.comparison.slow_down = given.read("slow-down", read_slow_down).value_or(0);
  options.comparison.only_intervals = options.repeat > 0;
  if (options.repeat > 0) options.comparison.seconds = short_comparison_seconds;
}

std::string read_reference(const Given& given, const std::vector<std::string>& known,
                           const std::vector<std::string>& chosen) {
  const bool streams = std::ranges::find(chosen, "streams") != chosen.end();
  if (!given.has("reference")) return streams ? "streams" : "";
  const std::string name =
      known[*given.read("reference", [&](const auto& option, const auto& text) {
        return parse_choice(option, text, known);
      })];
  if (std::ranges::find(chosen, name) == chosen.end()) {
    refuse("--reference", name,
           fmt::format("is not measured; add it to --variant or choose from {}",
                       fmt::join(chosen, ", ")));
  }
  return name;
}

/// One policy is the workload's; chosen_workloads() puts it there.
std::vector<NamedPolicy> several_policies(const Given& given) {
  auto policies = given.read("pool", parse_policies).value_or(std::vector<NamedPolicy>{});
  if (policies.size() < 2) policies.clear();
  return policies;
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
  options.json = given.read("json", read_path).value_or("");
  options.force = given.has("force");
  if (options.action == Action::diff) {
    options.diff = read_diff(given);
    return options;
  }
  if (options.action == Action::sweep) {
    options.sweep = read_sweep(given);
    options.comparison.seconds = sweep_seconds;
  } else {
    options.workloads = chosen_workloads(given);
  }
  const std::vector<std::string> known(variants.begin(), variants.end());
  options.comparison.variants = read_variants(given, known);
  options.comparison.reference = read_reference(given, known, options.comparison.variants);
  options.comparison.policies = several_policies(given);
  read_aa(given, known, options);
  options.processes.count = given.read("processes", read_processes).value_or(1);
  options.processes.arguments = arguments_of_child(given);
  options.comparison.mode = given.read("mode", read_mode).value_or(options.comparison.mode);
  options.processes.settings = chosen_settings(given);
  options.comparison.wait = options.processes.settings.front().wait;
  options.comparison.kernel_time_us = given.read("kernel-time", read_kernel_time).value_or(0);
  options.comparison.seconds =
      given.read("time", read_seconds).value_or(options.comparison.seconds);
  options.comparison.precision =
      given.read("precision", read_precision).value_or(options.comparison.precision);
  options.comparison.prove_break_even = given.has("prove-break-even");
  if (options.comparison.prove_break_even && options.comparison.reference.empty()) {
    throw UsageError(
        "--prove-break-even: there is no reference that a variant could pay off against; name one "
        "with --reference");
  }
  options.comparison.seed = given.read("seed", read_seed).value_or(options.comparison.seed);
  options.device = given.read("device", read_device).value_or(options.device);
  options.csv = given.read("csv", read_path).value_or("");
  options.trace = given.read("trace", read_path).value_or("");
  options.calibrate = given.read("calibrate", read_path).value_or("");
  options.profile = given.read("profile", read_input).value_or("");
  options.fault = given.read("fault", read_fault).value_or("");
  return options;
}

}  // namespace trilane
